package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Built-in and user-defined roles. User-defined roles are stored in {@code admin.system.roles} and
 * cached in memory. A change is durable when it returns, and applies to the next command of every
 * user that has the role. Safe for many threads.
 */
final class Roles {
  private static final ErrorCode INVALID_ROLE_MODIFICATION =
      new ErrorCode(80, "InvalidRoleModification");

  private final Supplier<Engine> home;
  private final Map<Role, CustomRole> known = new ConcurrentHashMap<>();

  /**
   * No user-defined roles, until some are loaded.
   *
   * @param home returns the engine that stores them
   */
  Roles(Supplier<Engine> home) {
    this.home = home;
  }

  /** Replaces the user-defined roles by those of a copy. */
  synchronized void load(HomeCopy copy) {
    Map<Role, CustomRole> roles = new HashMap<>();
    for (Document document : copy.documents(HomeCopy.ROLES)) {
      CustomRole role = CustomRole.of(document);
      roles.put(role.name(), role);
    }
    known.putAll(roles);
    known.keySet().retainAll(roles.keySet());
  }

  Optional<CustomRole> find(Role name) {
    return Optional.ofNullable(known.get(name));
  }

  /** The user-defined roles of a database, sorted by name. */
  List<CustomRole> of(String database) {
    return known.values().stream()
        .filter(role -> role.name().database().equals(database))
        .sorted(Comparator.comparing(role -> role.name().name()))
        .toList();
  }

  /**
   * Fails if a role does not exist.
   *
   * @throws CommandException ROLE_NOT_FOUND
   */
  void check(List<Role> names) {
    for (Role name : names) {
      if (name.builtin().isEmpty() && !known.containsKey(name)) {
        throw missing(name);
      }
    }
  }

  private static CommandException missing(Role name) {
    return new CommandException(ErrorCode.ROLE_NOT_FOUND, "Could not find role: " + name);
  }

  /** These roles and all that they inherit from, directly or indirectly. */
  List<Role> inherited(List<Role> held) {
    Set<Role> all = new LinkedHashSet<>();
    Deque<Role> next = new ArrayDeque<>(held);
    while (!next.isEmpty()) {
      Role role = next.removeFirst();
      if (all.add(role)) {
        find(role).ifPresent(custom -> next.addAll(custom.roles()));
      }
    }
    return List.copyOf(all);
  }

  /** The privileges of these roles, with inherited ones. */
  List<Privilege> privileges(List<Role> held) {
    List<Privilege> all = new ArrayList<>();
    for (Role role : inherited(held)) {
      role.builtin().ifPresent(kind -> all.addAll(kind.privileges(role.database())));
      find(role).ifPresent(custom -> all.addAll(custom.privileges()));
    }
    return all;
  }

  /** Adds a role. */
  synchronized void create(CustomRole role) {
    if (role.name().builtin().isPresent() || BuiltinRole.labelled(role.name().name()).isPresent()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Cannot create roles with the same name as a built-in role: " + role.name());
    }
    if (known.containsKey(role.name())) {
      throw new CommandException(
          ErrorCode.location(51002), "Role \"" + role.name() + "\" already exists");
    }
    checkReach(role);
    write(new Write.Insert(role.toDocument()));
    known.put(role.name(), role);
  }

  /** Changes a role. */
  synchronized void update(Role name, UnaryOperator<CustomRole> change) {
    CustomRole changed = change.apply(role(name));
    checkReach(changed);
    write(new Write.Replace(changed.toDocument()));
    known.put(name, changed);
  }

  /**
   * Fails unless the role is user-defined.
   *
   * @throws CommandException ROLE_NOT_FOUND; InvalidRoleModification if it is built-in
   */
  void checkUserDefined(Role name) {
    role(name);
  }

  private CustomRole role(Role name) {
    if (name.builtin().isPresent()) {
      throw new CommandException(
          INVALID_ROLE_MODIFICATION, name + " is a built-in role and cannot be modified.");
    }
    return find(name).orElseThrow(() -> missing(name));
  }

  /** Fails if a role outside admin has roles or privileges of another database. */
  private void checkReach(CustomRole role) {
    check(role.roles());
    if (inherited(role.roles()).contains(role.name())) {
      throw new CommandException(
          INVALID_ROLE_MODIFICATION,
          "Granting roles to " + role.name() + " would introduce a cycle in the role graph.");
    }
    String own = role.name().database();
    boolean further =
        role.privileges().stream()
                .anyMatch(
                    one ->
                        !(one.resource() instanceof Privilege.Resource.Named named
                            && named.database().equals(own)))
            || role.roles().stream().anyMatch(one -> !one.database().equals(own));
    if (further && !own.equals(Users.ADMIN)) {
      throw new CommandException(
          INVALID_ROLE_MODIFICATION,
          "Roles on the '"
              + own
              + "' database cannot be granted roles or privileges that reach other databases or"
              + " the cluster");
    }
  }

  /** Removes roles, also from the roles that inherit from them. */
  synchronized void drop(Set<Role> names) {
    names.forEach(this::role);
    for (CustomRole other : List.copyOf(known.values())) {
      List<Role> left = other.roles().stream().filter(role -> !names.contains(role)).toList();
      if (left.size() < other.roles().size() && !names.contains(other.name())) {
        update(other.name(), role -> role.withRoles(left));
      }
    }
    for (Role name : names) {
      write(new Write.Delete(DocumentKey.of(name.id())));
      known.remove(name);
    }
  }

  private void write(Write write) {
    Engine engine = home.get();
    Collection collection =
        engine
            .find(HomeCopy.ROLES)
            .orElseGet(() -> engine.create(HomeCopy.ROLES, CollectionSpec.mongo()));
    collection.write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }
}
