package dev.mayfly.mongo;

import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.AdminOnly;
import dev.mayfly.mongo.admin.BuildInfo;
import dev.mayfly.mongo.admin.ConfigureFailPoint;
import dev.mayfly.mongo.admin.ConnPoolStats;
import dev.mayfly.mongo.admin.CurrentOp;
import dev.mayfly.mongo.admin.FailPoints;
import dev.mayfly.mongo.admin.Fsync;
import dev.mayfly.mongo.admin.FsyncUnlock;
import dev.mayfly.mongo.admin.GetCmdLineOpts;
import dev.mayfly.mongo.admin.GetDefaultRwConcern;
import dev.mayfly.mongo.admin.GetLog;
import dev.mayfly.mongo.admin.GetParameter;
import dev.mayfly.mongo.admin.Host;
import dev.mayfly.mongo.admin.HostInfo;
import dev.mayfly.mongo.admin.IndexCensus;
import dev.mayfly.mongo.admin.KillOp;
import dev.mayfly.mongo.admin.ListCommands;
import dev.mayfly.mongo.admin.LogRotate;
import dev.mayfly.mongo.admin.MayflyClock;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.admin.Profile;
import dev.mayfly.mongo.admin.ServerStatus;
import dev.mayfly.mongo.admin.SetDefaultRwConcern;
import dev.mayfly.mongo.admin.SetFeatureCompatibilityVersion;
import dev.mayfly.mongo.admin.SetParameter;
import dev.mayfly.mongo.admin.SetUserWriteBlockMode;
import dev.mayfly.mongo.admin.Shutdown;
import dev.mayfly.mongo.admin.Top;
import dev.mayfly.mongo.admin.WriteBlock;
import dev.mayfly.mongo.admin.WriteLock;
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
import dev.mayfly.mongo.auth.Guard;
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
import dev.mayfly.mongo.change.ChangeStreams;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.read.Aggregate;
import dev.mayfly.mongo.read.Count;
import dev.mayfly.mongo.read.Distinct;
import dev.mayfly.mongo.read.Explain;
import dev.mayfly.mongo.read.FileMd5;
import dev.mayfly.mongo.read.Find;
import dev.mayfly.mongo.read.GetMore;
import dev.mayfly.mongo.read.KillCursors;
import dev.mayfly.mongo.read.Pipelines;
import dev.mayfly.mongo.read.PlanCacheClear;
import dev.mayfly.mongo.read.PlanCacheListFilters;
import dev.mayfly.mongo.schema.CloneCollectionAsCapped;
import dev.mayfly.mongo.schema.CollMod;
import dev.mayfly.mongo.schema.CollStats;
import dev.mayfly.mongo.schema.Compact;
import dev.mayfly.mongo.schema.ConvertToCapped;
import dev.mayfly.mongo.schema.Create;
import dev.mayfly.mongo.schema.CreateIndexes;
import dev.mayfly.mongo.schema.DataSize;
import dev.mayfly.mongo.schema.DbHash;
import dev.mayfly.mongo.schema.DbStats;
import dev.mayfly.mongo.schema.Drop;
import dev.mayfly.mongo.schema.DropDatabase;
import dev.mayfly.mongo.schema.DropIndexes;
import dev.mayfly.mongo.schema.ForecastExpiry;
import dev.mayfly.mongo.schema.ListCollections;
import dev.mayfly.mongo.schema.ListDatabases;
import dev.mayfly.mongo.schema.ListIndexes;
import dev.mayfly.mongo.schema.ReIndex;
import dev.mayfly.mongo.schema.RenameCollection;
import dev.mayfly.mongo.schema.UndoExpiry;
import dev.mayfly.mongo.schema.Validate;
import dev.mayfly.mongo.schema.WhatIf;
import dev.mayfly.mongo.session.AbortTransaction;
import dev.mayfly.mongo.session.CommitTransaction;
import dev.mayfly.mongo.session.EndSessions;
import dev.mayfly.mongo.session.KillAllSessions;
import dev.mayfly.mongo.session.KillAllSessionsByPattern;
import dev.mayfly.mongo.session.KillSessions;
import dev.mayfly.mongo.session.RefreshSessions;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mongo.session.Snapshots;
import dev.mayfly.mongo.session.StartSession;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mongo.source.ServerSources;
import dev.mayfly.mongo.topology.Hello;
import dev.mayfly.mongo.topology.IsSelf;
import dev.mayfly.mongo.topology.ReplSetGetConfig;
import dev.mayfly.mongo.topology.ReplSetGetStatus;
import dev.mayfly.mongo.topology.Topology;
import dev.mayfly.mongo.topology.WhatsMyUri;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.write.BulkWrite;
import dev.mayfly.mongo.write.Delete;
import dev.mayfly.mongo.write.FindAndModify;
import dev.mayfly.mongo.write.Insert;
import dev.mayfly.mongo.write.UpdateCommand;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Every command of the door by its name; what is not in it is answered as unknown. */
final class CommandTable {
  /** Commands for operators that change what is stored. */
  private static final Set<String> KEPT = Set.of("setDefaultRWConcern", "setUserWriteBlockMode");

  /** Commands of those who manage a database that change what is in it. */
  private static final Set<String> RESHAPES = Set.of("collMod", "convertToCapped", "dropDatabase");

  private final Guard guard;
  private final Transactions transactions;
  private final Snapshots snapshots;
  private final WriteLock writeLock;
  private final WriteBlock writeBlock;
  private final FailPoints failPoints;
  private final Map<String, Entry> commands = new HashMap<>();

  /** A command and what kind of work it does. */
  private record Entry(Access access, Command command) {}

  CommandTable(MongoServices mongoServices) {
    this.guard = mongoServices.guard();
    this.transactions = mongoServices.transactions();
    this.snapshots = mongoServices.snapshots();
    this.writeLock = mongoServices.monitoring().writeLock();
    this.writeBlock = mongoServices.monitoring().writeBlock();
    this.failPoints = mongoServices.failPoints();
    addServer(mongoServices);
    addUsers(mongoServices);
    addSessions(mongoServices);
    addSchema(mongoServices);
    addDocuments(mongoServices);
    addAdmin(mongoServices);
  }

  private void addServer(MongoServices mongoServices) {
    List<String> compressors =
        mongoServices.settings().connections().compressors().stream()
            .map(Compressor::label)
            .toList();
    Hello hello =
        new Hello(
            mongoServices.engine(), mongoServices.topology(), mongoServices.logins(), compressors);
    add("hello", Access.ANYONE, hello);
    add("isMaster", Access.ANYONE, hello);
    add("ismaster", Access.ANYONE, hello);
    add("_isSelf", Access.ANYONE, new IsSelf(mongoServices.topology()));
    add("ping", Access.ANYONE, (_, _) -> {});
    add(
        "mayflyClock",
        Access.OPERATE,
        new MayflyClock(mongoServices.engine(), mongoServices.settings().work().clock()));
  }

  private void addUsers(MongoServices mongoServices) {
    Users users = mongoServices.users();
    add("saslStart", Access.ANYONE, new SaslStart(mongoServices.logins()));
    add("saslContinue", Access.ANYONE, new SaslContinue(mongoServices.logins()));
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

  private void addSessions(MongoServices mongoServices) {
    Sessions sessions = mongoServices.sessions();
    add("startSession", Access.KNOWN, new StartSession(sessions));
    add("refreshSessions", Access.KNOWN, new RefreshSessions(sessions));
    add("endSessions", Access.KNOWN, new EndSessions(sessions));
    add("killSessions", Access.KNOWN, new KillSessions(sessions));
    add("killAllSessions", Access.OPERATE, new KillAllSessions(sessions));
    add("killAllSessionsByPattern", Access.OPERATE, new KillAllSessionsByPattern(sessions));
    add(
        "commitTransaction",
        Access.KNOWN,
        new CommitTransaction(mongoServices.transactions(), mongoServices.defaults()));
    add("abortTransaction", Access.KNOWN, new AbortTransaction(mongoServices.transactions()));
  }

  private void addAdmin(MongoServices mongoServices) {
    Engine engine = mongoServices.engine();
    Host host = mongoServices.settings().about();
    Topology topology = mongoServices.topology();
    Monitoring monitoring = mongoServices.monitoring();
    BuildInfo buildInfo = new BuildInfo(host);
    add("buildInfo", Access.ANYONE, buildInfo);
    add("buildinfo", Access.ANYONE, buildInfo);
    add("whatsmyuri", Access.ANYONE, new WhatsMyUri());
    add("listCommands", Access.KNOWN, new ListCommands(commands::keySet));
    add(
        "getDefaultRWConcern",
        Access.KNOWN,
        admin(new GetDefaultRwConcern(mongoServices.defaults())));
    addChange(
        "setDefaultRWConcern",
        Access.OPERATE,
        admin(new SetDefaultRwConcern(mongoServices.defaults())));
    add("getParameter", Access.KNOWN, admin(new GetParameter(monitoring.parameters())));
    add("setParameter", Access.OPERATE, admin(new SetParameter(monitoring.parameters())));
    add("hostInfo", Access.MONITOR, new HostInfo(engine, host));
    boolean testCommands = mongoServices.settings().work().testCommands();
    add(
        "getCmdLineOpts",
        Access.MONITOR,
        admin(new GetCmdLineOpts(host, topology.setName(), testCommands)));
    add("getLog", Access.MONITOR, admin(new GetLog(monitoring.log())));
    add("serverStatus", Access.MONITOR, status(mongoServices));
    add("top", Access.MONITOR, admin(new Top(monitoring.totals())));
    add("replSetGetStatus", Access.MONITOR, admin(new ReplSetGetStatus(engine, topology)));
    add("replSetGetConfig", Access.MONITOR, admin(new ReplSetGetConfig(topology)));
    add("currentOp", Access.MONITOR, admin(new CurrentOp(monitoring)));
    add("killOp", Access.OPERATE, admin(new KillOp(monitoring.operations())));
    WriteLock lock = monitoring.writeLock();
    add("fsync", Access.OPERATE, admin(new Fsync(engine, lock, this::writes)));
    add("fsyncUnlock", Access.OPERATE, admin(new FsyncUnlock(lock)));
    addChange(
        "setUserWriteBlockMode",
        Access.OPERATE,
        admin(new SetUserWriteBlockMode(monitoring.writeBlock(), this::mayChangeUsersData)));
    addChange(
        "setFeatureCompatibilityVersion",
        Access.OPERATE,
        admin(new SetFeatureCompatibilityVersion()));
    add("connPoolStats", Access.MONITOR, new ConnPoolStats());
    add("logRotate", Access.OPERATE, admin(new LogRotate()));
    add("shutdown", Access.OPERATE, admin(new Shutdown(mongoServices.settings().work().stop())));
    add("profile", Access.MANAGE, new Profile(monitoring.profiler()));
    if (testCommands) {
      add(
          "configureFailPoint",
          Access.OPERATE,
          admin(new ConfigureFailPoint(mongoServices.failPoints())));
    }
  }

  /** A command that nobody writes beside in its database. */
  private Command alone(Command command) {
    return (request, reply) ->
        writeLock.alone(request, this::writes, () -> command.run(request, reply));
  }

  private static AdminOnly admin(Command command) {
    return new AdminOnly(command);
  }

  private static ServerStatus status(MongoServices mongoServices) {
    return new ServerStatus(
        mongoServices.engine(),
        mongoServices.settings().about(),
        mongoServices.topology(),
        mongoServices.monitoring(),
        new IndexCensus(mongoServices.namespaces(), mongoServices.indexUsage()),
        mongoServices.cursors(),
        mongoServices.settings().ticker());
  }

  private void addDocuments(MongoServices mongoServices) {
    Cursors cursors = mongoServices.cursors();
    CollectionAccess access =
        new CollectionAccess(
            mongoServices.visible(), mongoServices.defaults(), mongoServices.indexUsage());
    ObjectIds ids = new ObjectIds();
    ServerStages sources =
        ServerSources.of(
            mongoServices.settings().about().hostname()
                + ":"
                + mongoServices.settings().address().port(),
            mongoServices.namespaces(),
            mongoServices.indexUsage(),
            mongoServices.monitoring(),
            mongoServices.sessions());
    ChangeStreams changes = new ChangeStreams(mongoServices.engine());
    Pipelines pipelines =
        new Pipelines(
            access, sources, changes, ids, mongoServices.settings().work().spillDirectory());
    add("find", Access.READ, new Find(access, pipelines, cursors));
    add(
        "getMore",
        Access.KNOWN,
        new GetMore(cursors, guard::checkStill, mongoServices.failPoints()::more));
    add("killCursors", Access.KNOWN, new KillCursors(cursors, guard::mayKillCursors));
    add("count", Access.READ, new Count(access, pipelines));
    add("distinct", Access.READ, new Distinct(access, pipelines));
    Explain explain = new Explain(access, pipelines, serverInfo(mongoServices.settings()));
    addChange("aggregate", Access.AGGREGATE, new Aggregate(pipelines, cursors, explain));
    add("explain", Access.READ, explain);
    add("planCacheClear", Access.MANAGE, new PlanCacheClear());
    add("planCacheClearFilters", Access.MANAGE, new PlanCacheClear());
    add("filemd5", Access.READ, new FileMd5(access));
    add("planCacheListFilters", Access.MANAGE, new PlanCacheListFilters());
    add("insert", Access.WRITE, new Insert(access, ids));
    add("update", Access.WRITE, new UpdateCommand(access, ids));
    add("delete", Access.WRITE, new Delete(access));
    FindAndModify findAndModify = new FindAndModify(access, ids);
    add("findAndModify", Access.WRITE, findAndModify);
    add("findandmodify", Access.WRITE, findAndModify);
    add("bulkWrite", Access.BULK_WRITE, new BulkWrite(access, cursors, ids));
  }

  private static Document serverInfo(MongoSettings settings) {
    return Document.writer()
        .put("host", settings.address().host())
        .put("port", settings.address().port())
        .put("version", BuildInfo.VERSION)
        .put("gitVersion", "mayfly")
        .build();
  }

  private void addSchema(MongoServices mongoServices) {
    Namespaces namespaces = mongoServices.namespaces();
    CollStats collStats = new CollStats(namespaces);
    DataSize dataSize = new DataSize(namespaces);
    DbStats dbStats = new DbStats(namespaces, mongoServices.settings().work().spillDirectory());
    DropIndexes dropIndexes = new DropIndexes(namespaces, mongoServices.indexUsage());
    addChange("cloneCollectionAsCapped", Access.SCHEMA, new CloneCollectionAsCapped(namespaces));
    addChange("convertToCapped", Access.MANAGE, alone(new ConvertToCapped(namespaces)));
    add("compact", Access.MANAGE, new Compact(namespaces));
    add("reIndex", Access.MANAGE, new ReIndex());
    addChange("collMod", Access.MANAGE, new CollMod(namespaces, mongoServices.indexUsage()));
    add("collStats", Access.INSPECT, collStats);
    add("collstats", Access.INSPECT, collStats);
    addChange("create", Access.SCHEMA, new Create(mongoServices.visible()));
    addChange("createIndexes", Access.SCHEMA, new CreateIndexes(mongoServices.visible()));
    add("dataSize", Access.READ, dataSize);
    add("datasize", Access.READ, dataSize);
    DbHash dbHash = new DbHash(namespaces, mongoServices.settings().about().hostname());
    add("dbHash", Access.INSPECT, dbHash);
    add("dbhash", Access.INSPECT, dbHash);
    add("dbStats", Access.INSPECT, dbStats);
    add("dbstats", Access.INSPECT, dbStats);
    addChange("deleteIndexes", Access.SCHEMA, dropIndexes);
    addChange("drop", Access.SCHEMA, new Drop(namespaces));
    addChange("dropDatabase", Access.MANAGE, new DropDatabase(namespaces));
    addChange("dropIndexes", Access.SCHEMA, dropIndexes);
    add(
        "listCollections",
        Access.INSPECT,
        new ListCollections(namespaces, mongoServices.cursors(), guard::mayUse));
    add("listDatabases", Access.KNOWN, new ListDatabases(namespaces, guard::maySee));
    add("listIndexes", Access.INSPECT, new ListIndexes(namespaces, mongoServices.cursors()));
    add("mayflyForecast", Access.INSPECT, new ForecastExpiry(namespaces));
    add("mayflyUndoExpiry", Access.SCHEMA, new UndoExpiry(namespaces));
    add("mayflyWhatIf", Access.INSPECT, new WhatIf(namespaces));
    addChange("renameCollection", Access.SCHEMA, new RenameCollection(namespaces));
    add("validate", Access.MANAGE, new Validate(namespaces));
  }

  /** Adds a command that changes something and says whether as many servers have it as wanted. */
  private void addChange(String name, Access access, Command command) {
    add(
        name,
        access,
        (request, reply) -> {
          WriteConcern concern = WriteConcern.of(request, Durability.SYNCED);
          command.run(request, reply);
          concern.report(reply);
        });
  }

  private void add(String name, Access access, Command command) {
    commands.put(name, new Entry(access, command));
  }

  /** Runs the command a request names. */
  void run(Request request, DocumentWriter reply) {
    Entry entry = commands.get(request.name());
    if (entry == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    guard.check(entry.access(), request);
    failPoints.before(request);
    writeLock.pass(request, this::writes);
    writeBlock.check(request, this::changesUsersData);
    if (Transactions.includes(request)) {
      runInTransaction(entry.command(), request, reply);
    } else {
      entry.command().run(snapshots.dated(request), reply);
    }
    failPoints.after(request, reply);
  }

  /** Whether a request changes anything that is stored; one that may, as an explanation, does. */
  private boolean writes(Request request) {
    Entry entry = commands.get(request.name());
    return entry != null
        && switch (entry.access()) {
          case WRITE, BULK_WRITE, SCHEMA, MANAGE, USERS -> true;
          case AGGREGATE -> Aggregate.writes(request);
          case ANYONE, KNOWN -> request.name().equals("commitTransaction");
          case OPERATE -> KEPT.contains(request.name());
          case READ, INSPECT, MONITOR -> false;
        };
  }

  /** Whether a request changes what is not the server's own. */
  private boolean changesUsersData(Request request) {
    Entry entry = commands.get(request.name());
    return entry != null
        && switch (entry.access()) {
          case WRITE -> !Names.isInternal(request.database());
          case SCHEMA ->
              request.name().equals("renameCollection") || !Names.isInternal(request.database());
          case MANAGE -> RESHAPES.contains(request.name()) && !Names.isInternal(request.database());
          case BULK_WRITE -> writesToUsers(request);
          case AGGREGATE -> Aggregate.writes(request);
          case ANYONE, KNOWN ->
              request.name().equals("commitTransaction") && transactions.wrote(request);
          case READ, INSPECT, MONITOR, OPERATE, USERS -> false;
        };
  }

  /** As {@link #changesUsersData}, for requests that are running: a commit forgets what it was. */
  private boolean mayChangeUsersData(Request request) {
    return request.name().equals("commitTransaction") || changesUsersData(request);
  }

  private static boolean writesToUsers(Request request) {
    return request.documents("nsInfo").stream()
        .map(info -> info.field("ns"))
        .filter(name -> name.type() == Type.STRING)
        .map(name -> name.asString().split("\\.", 2)[0])
        .anyMatch(database -> !Names.isInternal(database));
  }

  private void runInTransaction(Command command, Request request, DocumentWriter reply) {
    try {
      transactions.enter(request);
      command.run(request, reply);
    } catch (RuntimeException failure) {
      transactions.failed(request);
      throw failure;
    }
  }
}
