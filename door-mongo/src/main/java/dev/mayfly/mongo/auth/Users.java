package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The users, stored in {@code admin.system.users} and cached in memory. A change is durable when it
 * returns, and applies to the next command of every connection of this server; other servers
 * {@linkplain #load load} it. Safe for many threads.
 */
public final class Users {
  static final String ADMIN = "admin";

  private final Supplier<Engine> home;
  private final Roles roles;
  private final LoginSecret secret;
  private final Map<Identity, User> known = new ConcurrentHashMap<>();

  /** Loads the users that an engine stores. */
  public Users(Engine engine) {
    this(() -> engine);
    load(HomeCopy.of(engine));
  }

  /**
   * No users, until some are loaded.
   *
   * @param home returns the engine that stores them; fails if another server has it
   */
  public Users(Supplier<Engine> home) {
    this.home = home;
    this.roles = new Roles(home);
    this.secret = new LoginSecret(home);
  }

  /** Replaces users, roles and the secret of logins by those of a copy. */
  public synchronized void load(HomeCopy copy) {
    Map<Identity, User> users = new HashMap<>();
    for (Document document : copy.documents(HomeCopy.USERS)) {
      User user = User.of(document);
      users.put(user.identity(), user);
    }
    roles.load(copy);
    secret.load(copy);
    known.putAll(users);
    known.keySet().retainAll(users.keySet());
  }

  /** Creates the secret of logins, unless it is stored already. */
  public void prepare() {
    secret.prepare();
  }

  /** The roles of the server. */
  Roles roles() {
    return roles;
  }

  /**
   * The credential of a user; for one that does not exist, a generated one that no password
   * matches.
   *
   * @throws CommandException if the user exists without this mechanism: drivers try another one
   *     next
   */
  Credential credential(Identity identity, Mechanism mechanism) {
    Optional<User> user = find(identity);
    return user.isEmpty()
        ? secret.credential(identity, mechanism)
        : Optional.ofNullable(user.get().credentials().get(mechanism))
            .orElseThrow(ScramConversation::failed);
  }

  /**
   * Whether a user exists and has this password. Takes as long for a user that does not exist, and
   * compares in constant time.
   */
  public boolean verify(Identity identity, String password) {
    Mechanism mechanism =
        find(identity)
            .filter(user -> !user.credentials().containsKey(Mechanism.SCRAM_SHA_256))
            .map(_ -> Mechanism.SCRAM_SHA_1)
            .orElse(Mechanism.SCRAM_SHA_256);
    try {
      String prepared = mechanism.prepared(identity.user(), password);
      return credential(identity, mechanism).matches(mechanism, prepared);
    } catch (CommandException unusable) {
      return false;
    }
  }

  /**
   * A text that changes when the user is removed, created again or gets another password; empty if
   * there is no such user.
   */
  public Optional<String> incarnation(Identity identity) {
    return find(identity)
        .map(
            user ->
                user.userId()
                    + user.credentials().values().stream()
                        .map(Credential::salt)
                        .sorted()
                        .toList()
                        .toString());
  }

  /** The roles of a user as {@code role@database}, sorted; empty if there is no such user. */
  public List<String> roles(Identity identity) {
    return find(identity).map(User::roles).orElse(List.of()).stream()
        .map(role -> role.name() + "@" + role.database())
        .sorted()
        .toList();
  }

  public boolean isEmpty() {
    return known.isEmpty();
  }

  Optional<User> find(Identity identity) {
    return Optional.ofNullable(known.get(identity));
  }

  /**
   * The user; fails if it does not exist.
   *
   * @throws CommandException USER_NOT_FOUND
   */
  User user(Identity identity) {
    return find(identity)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.USER_NOT_FOUND, "Could not find user \"" + identity + "\""));
  }

  /** All users, sorted by database and name. */
  List<User> all() {
    return known.values().stream()
        .sorted(Comparator.comparing(user -> User.id(user.identity()).asString()))
        .toList();
  }

  /**
   * Adds a user.
   *
   * @param roles in the form of {@code createUser}
   * @throws CommandException if the user exists, or a role does not
   */
  public void add(Identity identity, String password, Value roles) {
    create(
        new User(
            identity,
            User.freshId(),
            new Passwords().credentials(identity.user(), password),
            Role.parse(roles, identity.database()),
            Value.MISSING));
  }

  /**
   * Removes a user.
   *
   * @throws CommandException USER_NOT_FOUND
   */
  public void remove(Identity identity) {
    drop(identity);
  }

  /** The names and roles of all users, sorted, without credentials. */
  public List<Document> descriptions() {
    return all().stream()
        .map(
            user ->
                Document.writer()
                    .put("user", user.identity().user())
                    .put("database", user.identity().database())
                    .put("roles", user.roleValues())
                    .build())
        .toList();
  }

  /** Adds a user. */
  synchronized void create(User user) {
    if (known.containsKey(user.identity())) {
      throw new CommandException(
          ErrorCode.location(51003), "User \"" + user.identity() + "\" already exists");
    }
    roles.check(user.roles());
    write(new Write.Insert(user.toDocument()));
    known.put(user.identity(), user);
  }

  /** Changes a user. */
  synchronized void update(Identity identity, UnaryOperator<User> change) {
    User changed = change.apply(user(identity));
    roles.check(changed.roles());
    write(new Write.Replace(changed.toDocument()));
    known.put(identity, changed);
  }

  /** Revokes roles from all users. */
  synchronized void revoke(Set<Role> revoked) {
    for (User user : all()) {
      List<Role> left = user.roles().stream().filter(role -> !revoked.contains(role)).toList();
      if (left.size() < user.roles().size()) {
        update(user.identity(), one -> one.withRoles(left));
      }
    }
  }

  /** Removes a user. */
  synchronized void drop(Identity identity) {
    User dropped = user(identity);
    write(new Write.Delete(DocumentKey.of(User.id(dropped.identity()))));
    known.remove(identity);
  }

  private void write(Write write) {
    Engine engine = home.get();
    Collection collection =
        engine
            .find(HomeCopy.USERS)
            .orElseGet(() -> engine.create(HomeCopy.USERS, CollectionSpec.mongo()));
    collection.write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }
}
