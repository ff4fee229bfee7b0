package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Determines the privileges that commands for users and roles require. */
final class UserNeeds {
  static final Map<String, Function<Request, Need>> BY_COMMAND =
      Map.ofEntries(
          Map.entry("createUser", request -> create(request, "createUser")),
          Map.entry("updateUser", UserNeeds::updateUser),
          Map.entry("dropUser", request -> Need.onDatabase(request.database(), "dropUser")),
          Map.entry(
              "dropAllUsersFromDatabase",
              request -> Need.onDatabase(request.database(), "dropUser")),
          Map.entry("grantRolesToUser", request -> roles(request, "grantRole")),
          Map.entry("revokeRolesFromUser", request -> roles(request, "revokeRole")),
          Map.entry("usersInfo", UserNeeds::usersInfo),
          Map.entry("createRole", request -> create(request, "createRole")),
          Map.entry("updateRole", UserNeeds::updateRole),
          Map.entry("dropRole", request -> Need.onDatabase(request.database(), "dropRole")),
          Map.entry(
              "dropAllRolesFromDatabase",
              request -> Need.onDatabase(request.database(), "dropRole")),
          Map.entry("grantRolesToRole", request -> roles(request, "grantRole")),
          Map.entry("revokeRolesFromRole", request -> roles(request, "revokeRole")),
          Map.entry("grantPrivilegesToRole", request -> privileges(request, "grantRole")),
          Map.entry("revokePrivilegesFromRole", request -> privileges(request, "revokeRole")),
          Map.entry("rolesInfo", UserNeeds::rolesInfo));

  private UserNeeds() {}

  /** To create a user or role, and to grant it the roles and privileges in the request. */
  private static Need create(Request request, String action) {
    List<Need> needs = new ArrayList<>();
    needs.add(Need.onDatabase(request.database(), action));
    addGrants(request, needs);
    return Need.all(needs);
  }

  private static void addGrants(Request request, List<Need> needs) {
    if (request.has("roles")) {
      needs.add(roles(request, "grantRole"));
    }
    if (request.has("privileges")) {
      needs.add(privileges(request, "grantRole"));
    }
  }

  /** An action on the databases of the roles in a request. */
  private static Need roles(Request request, String action) {
    return Need.all(
        Role.parse(request.field("roles"), request.database()).stream()
            .map(Role::database)
            .distinct()
            .map(database -> Need.onDatabase(database, action))
            .toList());
  }

  /**
   * An action on the databases of the privileges in a request; admin for those of several
   * databases.
   */
  private static Need privileges(Request request, String action) {
    return Need.all(
        Privilege.parse(request.field("privileges")).stream()
            .map(Privilege::database)
            .distinct()
            .map(database -> Need.onDatabase(database, action))
            .toList());
  }

  /** A replacement of roles requires revokeRole on all databases. */
  private static Need updateUser(Request request) {
    List<Need> needs = new ArrayList<>();
    boolean other = !request.has("customData") && !request.has("roles");
    if (other || request.has("pwd") || request.has("mechanisms")) {
      needs.add(ownOr(request, "changeOwnPassword", "changePassword"));
    }
    if (request.has("customData")) {
      needs.add(ownOr(request, "changeOwnCustomData", "changeCustomData"));
    }
    if (request.has("roles")) {
      needs.add(Need.onAllDatabases("revokeRole"));
    }
    addGrants(request, needs);
    return Need.all(needs);
  }

  private static Need ownOr(Request request, String own, String any) {
    String database = request.database();
    return Need.anyOf(
        Need.onDatabase(database, any),
        Need.all(
            new Need.Is(new Identity(database, CreateUserCommand.name(request))),
            Need.onDatabase(database, own)));
  }

  private static Need updateRole(Request request) {
    List<Need> needs = new ArrayList<>();
    needs.add(Need.onAllDatabases("revokeRole"));
    addGrants(request, needs);
    return Need.all(needs);
  }

  private static Need usersInfo(Request request) {
    return switch (UsersInfoCommand.Selection.of(request)) {
      case UsersInfoCommand.Selection.OfDatabase(String database) ->
          Need.onDatabase(database, "viewUser");
      case UsersInfoCommand.Selection.OfAll() -> Need.onCluster("viewUser");
      case UsersInfoCommand.Selection.Named(List<Identity> users) ->
          Need.all(users.stream().map(UserNeeds::view).toList());
    };
  }

  private static Need view(Identity user) {
    return Need.anyOf(new Need.Is(user), Need.onDatabase(user.database(), "viewUser"));
  }

  private static Need rolesInfo(Request request) {
    Value target = request.target();
    return target.isNumber()
        ? Need.onDatabase(request.database(), "viewRole")
        : Need.all(RolesInfoCommand.named(request).stream().map(UserNeeds::view).toList());
  }

  private static Need view(Role role) {
    return Need.anyOf(new Need.Has(role), Need.onDatabase(role.database(), "viewRole"));
  }
}
