package dev.mayfly.mongo;

import dev.mayfly.mongo.ServerCommands.Entry;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.BuildInfo;
import dev.mayfly.mongo.admin.CurrentOp;
import dev.mayfly.mongo.admin.EngineMonitoring;
import dev.mayfly.mongo.admin.Fsync;
import dev.mayfly.mongo.admin.FsyncUnlock;
import dev.mayfly.mongo.admin.GetParameter;
import dev.mayfly.mongo.admin.IndexCensus;
import dev.mayfly.mongo.admin.ListCommands;
import dev.mayfly.mongo.admin.MayflyClock;
import dev.mayfly.mongo.admin.Profile;
import dev.mayfly.mongo.admin.ServerStatus;
import dev.mayfly.mongo.admin.SetParameter;
import dev.mayfly.mongo.admin.SetUserWriteBlockMode;
import dev.mayfly.mongo.admin.WriteBlock;
import dev.mayfly.mongo.admin.WriteLock;
import dev.mayfly.mongo.auth.Guard;
import dev.mayfly.mongo.change.ChangeStreams;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Access;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.failpoint.FailPoints;
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
import java.util.Map;
import java.util.Set;

/**
 * Every command that runs against one engine, by name: those of this engine and the shared {@link
 * ServerCommands}. Fails with CommandNotFound for other names.
 *
 * <p>Safe for many threads.
 */
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

  CommandTable(MongoFrontend frontend, MongoBackend backend) {
    this.guard = frontend.guard();
    this.transactions = backend.transactions();
    this.snapshots = backend.snapshots();
    this.writeLock = backend.monitoring().writeLock();
    this.writeBlock = backend.monitoring().writeBlock();
    this.failPoints = frontend.failPoints();
    commands.putAll(new ServerCommands(frontend).commands());
    addSessions(frontend, backend);
    addSchema(frontend, backend);
    addDocuments(frontend, backend);
    addAdmin(frontend, backend);
  }

  private void addSessions(MongoFrontend frontend, MongoBackend backend) {
    Sessions sessions = backend.sessions();
    add("startSession", Access.KNOWN, new StartSession(sessions));
    add("refreshSessions", Access.KNOWN, new RefreshSessions(sessions));
    add("endSessions", Access.KNOWN, new EndSessions(sessions));
    add("killSessions", Access.KNOWN, new KillSessions(sessions));
    add("killAllSessions", Access.OPERATE, new KillAllSessions(sessions));
    add("killAllSessionsByPattern", Access.OPERATE, new KillAllSessionsByPattern(sessions));
    add(
        "commitTransaction",
        Access.KNOWN,
        new CommitTransaction(backend.transactions(), frontend.defaults()));
    add("abortTransaction", Access.KNOWN, new AbortTransaction(backend.transactions()));
  }

  private void addAdmin(MongoFrontend frontend, MongoBackend backend) {
    EngineMonitoring monitoring = backend.monitoring();
    add(
        "mayflyClock",
        Access.OPERATE,
        new MayflyClock(backend.engine(), frontend.settings().work().clock()));
    add("listCommands", Access.KNOWN, new ListCommands(commands::keySet));
    add(
        "getParameter",
        Access.KNOWN,
        ServerCommands.admin(new GetParameter(monitoring.parameters())));
    add(
        "setParameter",
        Access.OPERATE,
        ServerCommands.admin(new SetParameter(monitoring.parameters())));
    add("serverStatus", Access.MONITOR, status(frontend, backend));
    add(
        "currentOp",
        Access.MONITOR,
        ServerCommands.admin(new CurrentOp(frontend.monitoring().operations(), monitoring)));
    WriteLock lock = monitoring.writeLock();
    add(
        "fsync",
        Access.OPERATE,
        ServerCommands.admin(new Fsync(backend.engine(), lock, this::writes)));
    add("fsyncUnlock", Access.OPERATE, ServerCommands.admin(new FsyncUnlock(lock)));
    addChange(
        "setUserWriteBlockMode",
        Access.OPERATE,
        ServerCommands.admin(
            new SetUserWriteBlockMode(monitoring.writeBlock(), this::mayChangeUsersData)));
    add("profile", Access.MANAGE, new Profile(monitoring.profiler()));
  }

  /** A command that nobody writes beside in its database. */
  private Command alone(Command command) {
    return (request, reply) ->
        writeLock.alone(request, this::writes, () -> command.run(request, reply));
  }

  private static ServerStatus status(MongoFrontend frontend, MongoBackend backend) {
    return new ServerStatus(
        frontend.settings().about(),
        frontend.topology(),
        frontend.monitoring(),
        backend.monitoring(),
        new IndexCensus(backend.namespaces(), backend.indexUsage()),
        backend.cursors(),
        frontend.settings().ticker());
  }

  private void addDocuments(MongoFrontend frontend, MongoBackend backend) {
    Cursors cursors = backend.cursors();
    CollectionAccess access =
        new CollectionAccess(backend.visible(), frontend.defaults(), backend.indexUsage());
    ObjectIds ids = new ObjectIds();
    ServerStages sources =
        ServerSources.of(
            frontend.settings().about().hostname() + ":" + frontend.settings().address().port(),
            backend.namespaces(),
            backend.indexUsage(),
            frontend.monitoring(),
            backend.monitoring().ttl(),
            backend.sessions());
    ChangeStreams changes = new ChangeStreams(backend.engine());
    Pipelines pipelines =
        new Pipelines(access, sources, changes, ids, frontend.settings().work().spillDirectory());
    add("find", Access.READ, new Find(access, pipelines, cursors));
    add(
        "getMore",
        Access.KNOWN,
        new GetMore(cursors, guard::checkStill, frontend.failPoints()::more));
    add("killCursors", Access.KNOWN, new KillCursors(cursors, guard::mayKillCursors));
    add("count", Access.READ, new Count(access, pipelines));
    add("distinct", Access.READ, new Distinct(access, pipelines));
    Explain explain = new Explain(access, pipelines, serverInfo(frontend.settings()));
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

  private void addSchema(MongoFrontend frontend, MongoBackend backend) {
    Namespaces namespaces = backend.namespaces();
    CollStats collStats = new CollStats(namespaces);
    DataSize dataSize = new DataSize(namespaces);
    DbStats dbStats = new DbStats(namespaces, frontend.settings().work().spillDirectory());
    DropIndexes dropIndexes = new DropIndexes(namespaces, backend.indexUsage());
    addChange("cloneCollectionAsCapped", Access.SCHEMA, new CloneCollectionAsCapped(namespaces));
    addChange("convertToCapped", Access.MANAGE, alone(new ConvertToCapped(namespaces)));
    add("compact", Access.MANAGE, new Compact(namespaces));
    add("reIndex", Access.MANAGE, new ReIndex());
    addChange("collMod", Access.MANAGE, new CollMod(namespaces, backend.indexUsage()));
    add("collStats", Access.INSPECT, collStats);
    add("collstats", Access.INSPECT, collStats);
    addChange("create", Access.SCHEMA, new Create(backend.visible()));
    addChange("createIndexes", Access.SCHEMA, new CreateIndexes(backend.visible()));
    add("dataSize", Access.READ, dataSize);
    add("datasize", Access.READ, dataSize);
    DbHash dbHash = new DbHash(namespaces, frontend.settings().about().hostname());
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
        new ListCollections(namespaces, backend.cursors(), guard::mayUse));
    add("listDatabases", Access.KNOWN, new ListDatabases(namespaces, guard::maySee));
    add("listIndexes", Access.INSPECT, new ListIndexes(namespaces, backend.cursors()));
    add("mayflyForecast", Access.INSPECT, new ForecastExpiry(namespaces));
    add("mayflyUndoExpiry", Access.SCHEMA, new UndoExpiry(namespaces));
    add("mayflyWhatIf", Access.INSPECT, new WhatIf(namespaces));
    addChange("renameCollection", Access.SCHEMA, new RenameCollection(namespaces));
    add("validate", Access.MANAGE, new Validate(namespaces));
  }

  private void addChange(String name, Access access, Command command) {
    add(name, access, ServerCommands.change(command));
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
