package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import java.util.List;
import java.util.function.Predicate;

/**
 * Access control: checks before a command runs that its user has the required privileges. Safe for
 * many threads.
 */
public final class Guard {
  private final Login login;
  private final Users users;

  public Guard(Login login, Users users) {
    this.login = login;
    this.users = users;
  }

  /**
   * Fails if the user of a request lacks a required privilege.
   *
   * @throws CommandException UNAUTHORIZED
   */
  public void check(Access access, Request request) {
    if (access == Access.ANYONE || !requiresLogin(request.client()) || createsFirstUser(request)) {
      return;
    }
    if (!meets(user(request), CommandNeeds.of(request))) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "not authorized on " + request.database() + " to execute command " + request.name());
    }
  }

  /**
   * Fails if the user of a getMore no longer has the privileges for the command that created the
   * cursor.
   *
   * @throws CommandException UNAUTHORIZED
   */
  public void checkContinued(Request first, Request more) {
    if (requiresLogin(more.client()) && !meets(user(more), CommandNeeds.of(first))) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "not authorized to continue command " + first.name());
    }
  }

  private User user(Request request) {
    return request
        .client()
        .identity()
        .flatMap(users::find)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.UNAUTHORIZED,
                    "Command " + request.name() + " requires authentication"));
  }

  /** Whether this client has to log in. */
  public boolean requiresLogin(Client client) {
    return login.requiresLogin(client);
  }

  /** Whether a client may see a database in listDatabases. */
  public boolean maySee(Client client, String database) {
    return may(
        client,
        user ->
            meets(user, Need.onCluster("listDatabases"))
                || held(user).stream().anyMatch(privilege -> privilege.concerns(database)));
  }

  /** Whether a client has any privilege on a collection. */
  public boolean mayUse(Client client, Namespace namespace) {
    return may(client, user -> held(user).stream().anyMatch(one -> one.covers(namespace)));
  }

  /** Whether a client may do an action on a collection. */
  public boolean may(Client client, String action, Namespace on) {
    return may(client, user -> meets(user, Need.on(on, action)));
  }

  /** Whether a client may do an action on the server. */
  public boolean mayOnCluster(Client client, String action) {
    return may(client, user -> meets(user, Need.onCluster(action)));
  }

  /** Whether a client may do everything: it need not log in, or its user has the role root. */
  public boolean mayEverything(Client client) {
    return may(client, user -> meets(user, new Need.Has(new Role("root", Users.ADMIN))));
  }

  /** Whether a client may close cursors of other users. */
  public boolean mayKillCursors(Client client) {
    return may(client, user -> meets(user, Need.onCluster("killAnyCursor")));
  }

  private boolean may(Client client, Predicate<User> allowed) {
    return !requiresLogin(client)
        || client.identity().flatMap(users::find).filter(allowed).isPresent();
  }

  private boolean createsFirstUser(Request request) {
    return users.isEmpty()
        && request.client().loopback()
        && request.name().equals("createUser")
        && request.database().equals(Users.ADMIN);
  }

  private List<Privilege> held(User user) {
    return users.roles().privileges(user.roles());
  }

  private boolean meets(User user, Need need) {
    return meets(user, held(user), need);
  }

  private boolean meets(User user, List<Privilege> held, Need need) {
    return switch (need) {
      case Need.Action(String action, Privilege.Resource on) ->
          held.stream().anyMatch(privilege -> privilege.allows(action, on));
      case Need.Is(Identity other) -> user.identity().equals(other);
      case Need.Has(Role role) -> users.roles().inherited(user.roles()).contains(role);
      case Need.All(List<Need> all) -> all.stream().allMatch(one -> meets(user, held, one));
      case Need.AnyOf(List<Need> some) -> some.stream().anyMatch(one -> meets(user, held, one));
      case Need.Not(Need one) -> !meets(user, held, one);
    };
  }
}
