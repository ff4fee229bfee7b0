package dev.mayfly.mongo;

import dev.mayfly.engine.Durability;
import dev.mayfly.mongo.admin.AdminOnly;
import dev.mayfly.mongo.admin.BuildInfoCommand;
import dev.mayfly.mongo.admin.ConnPoolStatsCommand;
import dev.mayfly.mongo.admin.EngineStatus;
import dev.mayfly.mongo.admin.GetCmdLineOptsCommand;
import dev.mayfly.mongo.admin.GetDefaultRwConcernCommand;
import dev.mayfly.mongo.admin.GetLogCommand;
import dev.mayfly.mongo.admin.Host;
import dev.mayfly.mongo.admin.HostInfoCommand;
import dev.mayfly.mongo.admin.KillOpCommand;
import dev.mayfly.mongo.admin.LogRotateCommand;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.admin.ServerStatusCommand;
import dev.mayfly.mongo.admin.SetDefaultRwConcernCommand;
import dev.mayfly.mongo.admin.SetFeatureCompatibilityVersionCommand;
import dev.mayfly.mongo.admin.ShutdownCommand;
import dev.mayfly.mongo.admin.TopCommand;
import dev.mayfly.mongo.auth.AuthenticateCommand;
import dev.mayfly.mongo.auth.ConnectionStatusCommand;
import dev.mayfly.mongo.auth.CreateRoleCommand;
import dev.mayfly.mongo.auth.CreateUserCommand;
import dev.mayfly.mongo.auth.DropAllRolesFromDatabaseCommand;
import dev.mayfly.mongo.auth.DropAllUsersFromDatabaseCommand;
import dev.mayfly.mongo.auth.DropRoleCommand;
import dev.mayfly.mongo.auth.DropUserCommand;
import dev.mayfly.mongo.auth.GrantPrivilegesToRoleCommand;
import dev.mayfly.mongo.auth.GrantRolesToRoleCommand;
import dev.mayfly.mongo.auth.GrantRolesToUserCommand;
import dev.mayfly.mongo.auth.LogoutCommand;
import dev.mayfly.mongo.auth.RevokePrivilegesFromRoleCommand;
import dev.mayfly.mongo.auth.RevokeRolesFromRoleCommand;
import dev.mayfly.mongo.auth.RevokeRolesFromUserCommand;
import dev.mayfly.mongo.auth.RolesInfoCommand;
import dev.mayfly.mongo.auth.SaslContinueCommand;
import dev.mayfly.mongo.auth.SaslStartCommand;
import dev.mayfly.mongo.auth.UpdateRoleCommand;
import dev.mayfly.mongo.auth.UpdateUserCommand;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.auth.UsersInfoCommand;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mongo.failpoint.ConfigureFailPointCommand;
import dev.mayfly.mongo.topology.HelloCommand;
import dev.mayfly.mongo.topology.IsSelfCommand;
import dev.mayfly.mongo.topology.ReplSetGetConfigCommand;
import dev.mayfly.mongo.topology.ReplSetGetStatusCommand;
import dev.mayfly.mongo.topology.ReplSetInitiateCommand;
import dev.mayfly.mongo.topology.Topology;
import dev.mayfly.mongo.topology.WhatsMyUriCommand;
import dev.mayfly.mongo.wire.Compressor;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Commands that do not depend on the engine of a database: handshake, login, users, topology, host,
 * log, shutdown. They use only the state of the {@link MongoFrontend}.
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
    HelloCommand helloCommand =
        new HelloCommand(frontend.clock(), frontend.topology(), frontend.logins(), compressors);
    add("hello", Access.ANYONE, helloCommand);
    add("isMaster", Access.ANYONE, helloCommand);
    add("ismaster", Access.ANYONE, helloCommand);
    add("_isSelf", Access.ANYONE, new IsSelfCommand(frontend.topology()));
    add("ping", Access.ANYONE, (_, _) -> {});
  }

  private void addUsers(MongoFrontend frontend) {
    Users users = frontend.users();
    add("saslStart", Access.ANYONE, new SaslStartCommand(frontend.logins()));
    add("saslContinue", Access.ANYONE, new SaslContinueCommand(frontend.logins()));
    add("authenticate", Access.ANYONE, new AuthenticateCommand());
    add("logout", Access.ANYONE, new LogoutCommand());
    add("connectionStatus", Access.ANYONE, new ConnectionStatusCommand(users));
    addChange("createUser", Access.USERS, new CreateUserCommand(users));
    addChange("updateUser", Access.USERS, new UpdateUserCommand(users));
    addChange("dropUser", Access.USERS, new DropUserCommand(users));
    addChange("dropAllUsersFromDatabase", Access.USERS, new DropAllUsersFromDatabaseCommand(users));
    addChange("grantRolesToUser", Access.USERS, new GrantRolesToUserCommand(users));
    addChange("revokeRolesFromUser", Access.USERS, new RevokeRolesFromUserCommand(users));
    add("usersInfo", Access.INSPECT, new UsersInfoCommand(users));
    add("rolesInfo", Access.INSPECT, new RolesInfoCommand(users));
    addChange("createRole", Access.USERS, new CreateRoleCommand(users));
    addChange("updateRole", Access.USERS, new UpdateRoleCommand(users));
    addChange("dropRole", Access.USERS, new DropRoleCommand(users));
    addChange("dropAllRolesFromDatabase", Access.USERS, new DropAllRolesFromDatabaseCommand(users));
    addChange("grantRolesToRole", Access.USERS, new GrantRolesToRoleCommand(users));
    addChange("revokeRolesFromRole", Access.USERS, new RevokeRolesFromRoleCommand(users));
    addChange("grantPrivilegesToRole", Access.USERS, new GrantPrivilegesToRoleCommand(users));
    addChange("revokePrivilegesFromRole", Access.USERS, new RevokePrivilegesFromRoleCommand(users));
  }

  private void addAdmin(MongoFrontend frontend) {
    Host host = frontend.settings().host();
    Topology topology = frontend.topology();
    Monitoring monitoring = frontend.monitoring();
    BuildInfoCommand buildInfoCommand = new BuildInfoCommand(host);
    add("buildInfo", Access.ANYONE, buildInfoCommand);
    add("buildinfo", Access.ANYONE, buildInfoCommand);
    add("whatsmyuri", Access.ANYONE, new WhatsMyUriCommand());
    add(
        "getDefaultRWConcern",
        Access.KNOWN,
        admin(new GetDefaultRwConcernCommand(frontend.defaults())));
    addChange(
        "setDefaultRWConcern",
        Access.OPERATE,
        admin(new SetDefaultRwConcernCommand(frontend.defaults())));
    add("hostInfo", Access.MONITOR, new HostInfoCommand(host));
    boolean testCommands = frontend.settings().work().testCommands();
    add(
        "getCmdLineOpts",
        Access.MONITOR,
        admin(new GetCmdLineOptsCommand(host, topology.setName(), testCommands)));
    add("getLog", Access.MONITOR, admin(new GetLogCommand(monitoring.log())));
    add("top", Access.MONITOR, admin(new TopCommand(monitoring.totals())));
    add("replSetGetStatus", Access.MONITOR, admin(new ReplSetGetStatusCommand(topology)));
    add("replSetGetConfig", Access.MONITOR, admin(new ReplSetGetConfigCommand(topology)));
    add(
        "replSetInitiate",
        Access.OPERATE,
        admin(new ReplSetInitiateCommand(topology, frontend.settings().work().emulator())));
    add("killOp", Access.OPERATE, admin(new KillOpCommand(monitoring.operations())));
    addChange(
        "setFeatureCompatibilityVersion",
        Access.OPERATE,
        admin(new SetFeatureCompatibilityVersionCommand()));
    add("connPoolStats", Access.MONITOR, new ConnPoolStatsCommand());
    add("logRotate", Access.OPERATE, admin(new LogRotateCommand()));
    add("shutdown", Access.OPERATE, admin(new ShutdownCommand(frontend.settings().work().stop())));
    if (testCommands) {
      add(
          "configureFailPoint",
          Access.OPERATE,
          admin(new ConfigureFailPointCommand(frontend.failPoints())));
    }
  }

  /**
   * Returns {@code serverStatus}.
   *
   * @param engines returns the engines of the server
   */
  static ServerStatusCommand status(MongoFrontend frontend, Supplier<List<EngineStatus>> engines) {
    return new ServerStatusCommand(
        frontend.settings().host(),
        frontend.topology(),
        frontend.monitoring(),
        engines,
        frontend.settings().ticker());
  }

  /** Returns a command that runs against the {@code admin} database only. */
  static AdminOnly admin(Command command) {
    return new AdminOnly(command);
  }

  /** Returns a command that accepts a write concern, and reports whether it was satisfied. */
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
