package dev.mayfly.mongo;

import dev.mayfly.engine.Durability;
import dev.mayfly.mongo.admin.AdminOnly;
import dev.mayfly.mongo.admin.BuildInfo;
import dev.mayfly.mongo.admin.ConnPoolStats;
import dev.mayfly.mongo.admin.GetCmdLineOpts;
import dev.mayfly.mongo.admin.GetDefaultRwConcern;
import dev.mayfly.mongo.admin.GetLog;
import dev.mayfly.mongo.admin.Host;
import dev.mayfly.mongo.admin.HostInfo;
import dev.mayfly.mongo.admin.KillOp;
import dev.mayfly.mongo.admin.LogRotate;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.admin.SetDefaultRwConcern;
import dev.mayfly.mongo.admin.SetFeatureCompatibilityVersion;
import dev.mayfly.mongo.admin.Shutdown;
import dev.mayfly.mongo.admin.Top;
import dev.mayfly.mongo.auth.Authenticate;
import dev.mayfly.mongo.auth.ConnectionStatus;
import dev.mayfly.mongo.auth.CreateRole;
import dev.mayfly.mongo.auth.CreateUser;
import dev.mayfly.mongo.auth.DropAllRolesFromDatabase;
import dev.mayfly.mongo.auth.DropAllUsersFromDatabase;
import dev.mayfly.mongo.auth.DropRole;
import dev.mayfly.mongo.auth.DropUser;
import dev.mayfly.mongo.auth.GrantPrivilegesToRole;
import dev.mayfly.mongo.auth.GrantRolesToRole;
import dev.mayfly.mongo.auth.GrantRolesToUser;
import dev.mayfly.mongo.auth.Logout;
import dev.mayfly.mongo.auth.RevokePrivilegesFromRole;
import dev.mayfly.mongo.auth.RevokeRolesFromRole;
import dev.mayfly.mongo.auth.RevokeRolesFromUser;
import dev.mayfly.mongo.auth.RolesInfo;
import dev.mayfly.mongo.auth.SaslContinue;
import dev.mayfly.mongo.auth.SaslStart;
import dev.mayfly.mongo.auth.UpdateRole;
import dev.mayfly.mongo.auth.UpdateUser;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.auth.UsersInfo;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mongo.failpoint.ConfigureFailPoint;
import dev.mayfly.mongo.topology.Hello;
import dev.mayfly.mongo.topology.IsSelf;
import dev.mayfly.mongo.topology.ReplSetGetConfig;
import dev.mayfly.mongo.topology.ReplSetGetStatus;
import dev.mayfly.mongo.topology.Topology;
import dev.mayfly.mongo.topology.WhatsMyUri;
import dev.mayfly.mongo.wire.Compressor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The commands that need no engine of their own: handshake, login, users, topology, host, log,
 * shutdown. They use the state of the {@link MongoFrontend} alone.
 */
final class ServerCommands {
  private final Map<String, Entry> commands = new HashMap<>();

  /** A command and the kind of access it needs. */
  record Entry(Access access, Command command) {}

  ServerCommands(MongoFrontend frontend) {
    addServer(frontend);
    addUsers(frontend);
    addAdmin(frontend);
  }

  /** The commands by name. */
  Map<String, Entry> commands() {
    return Map.copyOf(commands);
  }

  private void addServer(MongoFrontend frontend) {
    List<String> compressors =
        frontend.settings().connections().compressors().stream().map(Compressor::label).toList();
    Hello hello = new Hello(frontend.clock(), frontend.topology(), frontend.logins(), compressors);
    add("hello", Access.ANYONE, hello);
    add("isMaster", Access.ANYONE, hello);
    add("ismaster", Access.ANYONE, hello);
    add("_isSelf", Access.ANYONE, new IsSelf(frontend.topology()));
    add("ping", Access.ANYONE, (_, _) -> {});
  }

  private void addUsers(MongoFrontend frontend) {
    Users users = frontend.users();
    add("saslStart", Access.ANYONE, new SaslStart(frontend.logins()));
    add("saslContinue", Access.ANYONE, new SaslContinue(frontend.logins()));
    add("authenticate", Access.ANYONE, new Authenticate());
    add("logout", Access.ANYONE, new Logout());
    add("connectionStatus", Access.ANYONE, new ConnectionStatus(users));
    addChange("createUser", Access.USERS, new CreateUser(users));
    addChange("updateUser", Access.USERS, new UpdateUser(users));
    addChange("dropUser", Access.USERS, new DropUser(users));
    addChange("dropAllUsersFromDatabase", Access.USERS, new DropAllUsersFromDatabase(users));
    addChange("grantRolesToUser", Access.USERS, new GrantRolesToUser(users));
    addChange("revokeRolesFromUser", Access.USERS, new RevokeRolesFromUser(users));
    add("usersInfo", Access.INSPECT, new UsersInfo(users));
    add("rolesInfo", Access.INSPECT, new RolesInfo(users));
    addChange("createRole", Access.USERS, new CreateRole(users));
    addChange("updateRole", Access.USERS, new UpdateRole(users));
    addChange("dropRole", Access.USERS, new DropRole(users));
    addChange("dropAllRolesFromDatabase", Access.USERS, new DropAllRolesFromDatabase(users));
    addChange("grantRolesToRole", Access.USERS, new GrantRolesToRole(users));
    addChange("revokeRolesFromRole", Access.USERS, new RevokeRolesFromRole(users));
    addChange("grantPrivilegesToRole", Access.USERS, new GrantPrivilegesToRole(users));
    addChange("revokePrivilegesFromRole", Access.USERS, new RevokePrivilegesFromRole(users));
  }

  private void addAdmin(MongoFrontend frontend) {
    Host host = frontend.settings().about();
    Topology topology = frontend.topology();
    Monitoring monitoring = frontend.monitoring();
    BuildInfo buildInfo = new BuildInfo(host);
    add("buildInfo", Access.ANYONE, buildInfo);
    add("buildinfo", Access.ANYONE, buildInfo);
    add("whatsmyuri", Access.ANYONE, new WhatsMyUri());
    add("getDefaultRWConcern", Access.KNOWN, admin(new GetDefaultRwConcern(frontend.defaults())));
    addChange(
        "setDefaultRWConcern", Access.OPERATE, admin(new SetDefaultRwConcern(frontend.defaults())));
    add("hostInfo", Access.MONITOR, new HostInfo(host));
    boolean testCommands = frontend.settings().work().testCommands();
    add(
        "getCmdLineOpts",
        Access.MONITOR,
        admin(new GetCmdLineOpts(host, topology.setName(), testCommands)));
    add("getLog", Access.MONITOR, admin(new GetLog(monitoring.log())));
    add("top", Access.MONITOR, admin(new Top(monitoring.totals())));
    add("replSetGetStatus", Access.MONITOR, admin(new ReplSetGetStatus(topology)));
    add("replSetGetConfig", Access.MONITOR, admin(new ReplSetGetConfig(topology)));
    add("killOp", Access.OPERATE, admin(new KillOp(monitoring.operations())));
    addChange(
        "setFeatureCompatibilityVersion",
        Access.OPERATE,
        admin(new SetFeatureCompatibilityVersion()));
    add("connPoolStats", Access.MONITOR, new ConnPoolStats());
    add("logRotate", Access.OPERATE, admin(new LogRotate()));
    add("shutdown", Access.OPERATE, admin(new Shutdown(frontend.settings().work().stop())));
    if (testCommands) {
      add(
          "configureFailPoint",
          Access.OPERATE,
          admin(new ConfigureFailPoint(frontend.failPoints())));
    }
  }

  /** A command that runs in the {@code admin} database only. */
  static AdminOnly admin(Command command) {
    return new AdminOnly(command);
  }

  /** A command that changes something and reports whether its write concern was satisfied. */
  static Command change(Command command) {
    return (request, reply) -> {
      WriteConcern concern = WriteConcern.of(request, Durability.SYNCED);
      command.run(request, reply);
      concern.report(reply);
    };
  }

  private void addChange(String name, Access access, Command command) {
    add(name, access, change(command));
  }

  private void add(String name, Access access, Command command) {
    commands.put(name, new Entry(access, command));
  }
}
