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

/** Decides before a command runs whether its client may have it run. */
public final class Guard {
  private final Login login;
  private final Users users;

  public Guard(Login login, Users users) {
    this.login = login;
    this.users = users;
  }

  /**
   * Lets a request pass, or not.
   *
   * @throws CommandException UNAUTHORIZED
   */
  public void check(Access access, Request request) {
    if (access == Access.ANYONE || !binds(request.client()) || makesFirstUser(request)) {
      return;
    }
    if (!meets(user(request), CommandNeeds.of(request))) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "not authorized on " + request.database() + " to execute command " + request.name());
    }
  }

  /**
   * Lets a request go on with what another has begun, as long as its client may still begin that.
   *
   * @throws CommandException UNAUTHORIZED
   */
  public void checkStill(Request begun, Request more) {
    if (binds(more.client()) && !meets(user(more), CommandNeeds.of(begun))) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "not authorized to go on with command " + begun.name());
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

  /** Whether this client has to prove who it is. */
  boolean binds(Client client) {
    return login.binds(client);
  }

  /** Whether a client may know of a database. */
  public boolean maySee(Client client, String database) {
    return may(
        client,
        user ->
            meets(user, Need.onCluster("listDatabases"))
                || held(user).stream().anyMatch(privilege -> privilege.concerns(database)));
  }

  /** Whether a client may do anything with a collection. */
  public boolean mayUse(Client client, Namespace namespace) {
    return may(client, user -> held(user).stream().anyMatch(one -> one.covers(namespace)));
  }

  /** Whether a client may close the cursors of others. */
  public boolean mayKillCursors(Client client) {
    return may(client, user -> meets(user, Need.onCluster("killAnyCursor")));
  }

  private boolean may(Client client, Predicate<User> allowed) {
    return !binds(client) || client.identity().flatMap(users::find).filter(allowed).isPresent();
  }

  private boolean makesFirstUser(Request request) {
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
