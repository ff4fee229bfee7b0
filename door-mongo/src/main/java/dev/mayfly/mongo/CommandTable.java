package dev.mayfly.mongo;

import dev.mayfly.mongo.ServerCommands.Entry;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.BuildInfoCommand;
import dev.mayfly.mongo.admin.CurrentOpCommand;
import dev.mayfly.mongo.admin.EngineMonitoring;
import dev.mayfly.mongo.admin.EngineStatus;
import dev.mayfly.mongo.admin.FsyncCommand;
import dev.mayfly.mongo.admin.FsyncUnlockCommand;
import dev.mayfly.mongo.admin.GetParameterCommand;
import dev.mayfly.mongo.admin.ListCommandsCommand;
import dev.mayfly.mongo.admin.MayflyClockCommand;
import dev.mayfly.mongo.admin.ProfileCommand;
import dev.mayfly.mongo.admin.ServerStatusCommand;
import dev.mayfly.mongo.admin.SetParameterCommand;
import dev.mayfly.mongo.admin.SetUserWriteBlockModeCommand;
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
import dev.mayfly.mongo.read.AggregateCommand;
import dev.mayfly.mongo.read.CountCommand;
import dev.mayfly.mongo.read.DistinctCommand;
import dev.mayfly.mongo.read.ExplainCommand;
import dev.mayfly.mongo.read.FileMd5Command;
import dev.mayfly.mongo.read.FindCommand;
import dev.mayfly.mongo.read.GetMoreCommand;
import dev.mayfly.mongo.read.KillCursorsCommand;
import dev.mayfly.mongo.read.Pipelines;
import dev.mayfly.mongo.read.PlanCacheClearCommand;
import dev.mayfly.mongo.read.PlanCacheListFiltersCommand;
import dev.mayfly.mongo.schema.CloneCollectionAsCappedCommand;
import dev.mayfly.mongo.schema.CollModCommand;
import dev.mayfly.mongo.schema.CollStatsCommand;
import dev.mayfly.mongo.schema.CompactCommand;
import dev.mayfly.mongo.schema.ConvertToCappedCommand;
import dev.mayfly.mongo.schema.CreateCommand;
import dev.mayfly.mongo.schema.CreateIndexesCommand;
import dev.mayfly.mongo.schema.DataSizeCommand;
import dev.mayfly.mongo.schema.DbHashCommand;
import dev.mayfly.mongo.schema.DbStatsCommand;
import dev.mayfly.mongo.schema.DropCommand;
import dev.mayfly.mongo.schema.DropDatabaseCommand;
import dev.mayfly.mongo.schema.DropIndexesCommand;
import dev.mayfly.mongo.schema.ExplainExpiryCommand;
import dev.mayfly.mongo.schema.ForecastExpiryCommand;
import dev.mayfly.mongo.schema.ListCollectionsCommand;
import dev.mayfly.mongo.schema.ListDatabasesCommand;
import dev.mayfly.mongo.schema.ListIndexesCommand;
import dev.mayfly.mongo.schema.ReIndexCommand;
import dev.mayfly.mongo.schema.RenameCollectionCommand;
import dev.mayfly.mongo.schema.TouchCommand;
import dev.mayfly.mongo.schema.UndoExpiryCommand;
import dev.mayfly.mongo.schema.ValidateCommand;
import dev.mayfly.mongo.schema.WarningsCommand;
import dev.mayfly.mongo.schema.WhatIfCommand;
import dev.mayfly.mongo.session.AbortTransactionCommand;
import dev.mayfly.mongo.session.CommitTransactionCommand;
import dev.mayfly.mongo.session.EndSessionsCommand;
import dev.mayfly.mongo.session.KillAllSessionsByPatternCommand;
import dev.mayfly.mongo.session.KillAllSessionsCommand;
import dev.mayfly.mongo.session.KillSessionsCommand;
import dev.mayfly.mongo.session.RefreshSessionsCommand;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mongo.session.Snapshots;
import dev.mayfly.mongo.session.StartSessionCommand;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mongo.source.ServerSources;
import dev.mayfly.mongo.write.BulkWriteCommand;
import dev.mayfly.mongo.write.DeleteCommand;
import dev.mayfly.mongo.write.FindAndModifyCommand;
import dev.mayfly.mongo.write.InsertCommand;
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

/**
 * Command table: every command that runs against one engine, by name; those of this engine and the
 * shared {@link ServerCommands}. Fails with CommandNotFound for other names.
 *
 * <p>Thread-safe.
 */
final class CommandTable {
  /** Commands with {@link Access#OPERATE} that write. */
  private static final Set<String> OPERATOR_WRITES =
      Set.of("setDefaultRWConcern", "setUserWriteBlockMode");

  /** Commands with {@link Access#MANAGE} that change documents or collections. */
  private static final Set<String> MANAGER_WRITES =
      Set.of("collMod", "convertToCapped", "dropDatabase");

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
    add("startSession", Access.KNOWN, new StartSessionCommand(sessions));
    add("refreshSessions", Access.KNOWN, new RefreshSessionsCommand(sessions));
    add("endSessions", Access.KNOWN, new EndSessionsCommand(sessions));
    add("killSessions", Access.KNOWN, new KillSessionsCommand(sessions));
    add("killAllSessions", Access.OPERATE, new KillAllSessionsCommand(sessions));
    add("killAllSessionsByPattern", Access.OPERATE, new KillAllSessionsByPatternCommand(sessions));
    add(
        "commitTransaction",
        Access.KNOWN,
        new CommitTransactionCommand(backend.transactions(), frontend.defaults()));
    add("abortTransaction", Access.KNOWN, new AbortTransactionCommand(backend.transactions()));
  }

  private void addAdmin(MongoFrontend frontend, MongoBackend backend) {
    EngineMonitoring monitoring = backend.monitoring();
    add(
        "mayflyClock",
        Access.OPERATE,
        new MayflyClockCommand(backend.engine(), frontend.settings().work().clock()));
    add("listCommands", Access.KNOWN, new ListCommandsCommand(commands::keySet));
    add(
        "getParameter",
        Access.KNOWN,
        ServerCommands.admin(new GetParameterCommand(monitoring.parameters())));
    add(
        "setParameter",
        Access.OPERATE,
        ServerCommands.admin(new SetParameterCommand(monitoring.parameters())));
    add("serverStatus", Access.MONITOR, status(frontend, backend));
    add(
        "currentOp",
        Access.MONITOR,
        ServerCommands.admin(
            new CurrentOpCommand(frontend.monitoring().operations(), () -> List.of(monitoring))));
    WriteLock lock = monitoring.writeLock();
    add(
        "fsync",
        Access.OPERATE,
        ServerCommands.admin(new FsyncCommand(backend.engine(), lock, this::writes)));
    add("fsyncUnlock", Access.OPERATE, ServerCommands.admin(new FsyncUnlockCommand(lock)));
    addChange(
        "setUserWriteBlockMode",
        Access.OPERATE,
        ServerCommands.admin(
            new SetUserWriteBlockModeCommand(monitoring.writeBlock(), this::mayWriteUserData)));
    add("profile", Access.MANAGE, new ProfileCommand(monitoring.profiler()));
  }

  /** Returns a command that runs while no other request writes to its database. */
  private Command exclusive(Command command) {
    return (request, reply) ->
        writeLock.runExclusively(request, this::writes, () -> command.run(request, reply));
  }

  private static ServerStatusCommand status(MongoFrontend frontend, MongoBackend backend) {
    List<EngineStatus> only = List.of(backend.status());
    return ServerCommands.status(frontend, () -> only);
  }

  private void addDocuments(MongoFrontend frontend, MongoBackend backend) {
    Cursors cursors = backend.cursors();
    CollectionAccess access =
        new CollectionAccess(backend.visible(), frontend.defaults(), backend.indexUsage());
    ObjectIds ids = new ObjectIds();
    ServerStages sources =
        ServerSources.of(
            frontend.settings().host().hostname() + ":" + frontend.settings().address().port(),
            backend.namespaces(),
            backend.indexUsage(),
            frontend.monitoring(),
            backend.monitoring(),
            backend.sessions());
    ChangeStreams changes = new ChangeStreams(backend.engine());
    Pipelines pipelines =
        new Pipelines(access, sources, changes, ids, frontend.settings().work().spillDirectory());
    add("find", Access.READ, new FindCommand(access, pipelines, cursors));
    add(
        "getMore",
        Access.KNOWN,
        new GetMoreCommand(cursors, guard::checkContinued, frontend.failPoints()::onGetMore));
    add("killCursors", Access.KNOWN, new KillCursorsCommand(cursors, guard::mayKillCursors));
    add("count", Access.READ, new CountCommand(access, pipelines));
    add("distinct", Access.READ, new DistinctCommand(access, pipelines));
    ExplainCommand explainCommand =
        new ExplainCommand(access, pipelines, serverInfo(frontend.settings()));
    addChange(
        "aggregate", Access.AGGREGATE, new AggregateCommand(pipelines, cursors, explainCommand));
    add("explain", Access.READ, explainCommand);
    add("planCacheClear", Access.MANAGE, new PlanCacheClearCommand());
    add("planCacheClearFilters", Access.MANAGE, new PlanCacheClearCommand());
    add("filemd5", Access.READ, new FileMd5Command(access));
    add("planCacheListFilters", Access.MANAGE, new PlanCacheListFiltersCommand());
    add("insert", Access.WRITE, new InsertCommand(access, ids));
    add("update", Access.WRITE, new UpdateCommand(access, ids));
    add("delete", Access.WRITE, new DeleteCommand(access));
    FindAndModifyCommand findAndModifyCommand = new FindAndModifyCommand(access, ids);
    add("findAndModify", Access.WRITE, findAndModifyCommand);
    add("findandmodify", Access.WRITE, findAndModifyCommand);
    add("bulkWrite", Access.BULK_WRITE, new BulkWriteCommand(access, cursors, ids));
  }

  private static Document serverInfo(MongoSettings settings) {
    return Document.writer()
        .put("host", settings.address().host())
        .put("port", settings.address().port())
        .put("version", BuildInfoCommand.VERSION)
        .put("gitVersion", "mayfly")
        .build();
  }

  private void addSchema(MongoFrontend frontend, MongoBackend backend) {
    Namespaces namespaces = backend.namespaces();
    CollStatsCommand collStatsCommand = new CollStatsCommand(namespaces);
    DataSizeCommand dataSizeCommand = new DataSizeCommand(namespaces);
    DbStatsCommand dbStatsCommand =
        new DbStatsCommand(namespaces, frontend.settings().work().spillDirectory());
    DropIndexesCommand dropIndexesCommand =
        new DropIndexesCommand(namespaces, backend.indexUsage());
    addChange(
        "cloneCollectionAsCapped", Access.SCHEMA, new CloneCollectionAsCappedCommand(namespaces));
    addChange("convertToCapped", Access.MANAGE, exclusive(new ConvertToCappedCommand(namespaces)));
    add("compact", Access.MANAGE, new CompactCommand(namespaces));
    add("reIndex", Access.MANAGE, new ReIndexCommand());
    addChange("collMod", Access.MANAGE, new CollModCommand(namespaces, backend.indexUsage()));
    add("collStats", Access.INSPECT, collStatsCommand);
    add("collstats", Access.INSPECT, collStatsCommand);
    addChange("create", Access.SCHEMA, new CreateCommand(backend.visible()));
    addChange("createIndexes", Access.SCHEMA, new CreateIndexesCommand(backend.visible()));
    add("dataSize", Access.READ, dataSizeCommand);
    add("datasize", Access.READ, dataSizeCommand);
    DbHashCommand dbHashCommand =
        new DbHashCommand(namespaces, frontend.settings().host().hostname());
    add("dbHash", Access.INSPECT, dbHashCommand);
    add("dbhash", Access.INSPECT, dbHashCommand);
    add("dbStats", Access.INSPECT, dbStatsCommand);
    add("dbstats", Access.INSPECT, dbStatsCommand);
    addChange("deleteIndexes", Access.SCHEMA, dropIndexesCommand);
    addChange("drop", Access.SCHEMA, new DropCommand(namespaces));
    addChange("dropDatabase", Access.MANAGE, new DropDatabaseCommand(namespaces));
    addChange("dropIndexes", Access.SCHEMA, dropIndexesCommand);
    add(
        "listCollections",
        Access.INSPECT,
        new ListCollectionsCommand(namespaces, backend.cursors(), guard::mayUse));
    add("listDatabases", Access.KNOWN, new ListDatabasesCommand(namespaces, guard::maySee));
    add("listIndexes", Access.INSPECT, new ListIndexesCommand(namespaces, backend.cursors()));
    add("mayflyExplainExpiry", Access.INSPECT, new ExplainExpiryCommand(namespaces));
    add("mayflyWarnings", Access.INSPECT, new WarningsCommand(namespaces));
    add("mayflyForecast", Access.INSPECT, new ForecastExpiryCommand(namespaces));
    addChange("mayflyTouch", Access.WRITE, new TouchCommand(namespaces));
    add("mayflyUndoExpiry", Access.SCHEMA, new UndoExpiryCommand(namespaces));
    add("mayflyWhatIf", Access.INSPECT, new WhatIfCommand(namespaces));
    addChange("renameCollection", Access.SCHEMA, new RenameCollectionCommand(namespaces));
    add("validate", Access.MANAGE, new ValidateCommand(namespaces));
  }

  private void addChange(String name, Access access, Command command) {
    add(name, access, ServerCommands.change(command));
  }

  private void add(String name, Access access, Command command) {
    commands.put(name, new Entry(access, command));
  }

  /** Returns the names of all commands. */
  Set<String> names() {
    return Set.copyOf(commands.keySet());
  }

  /** Runs the command of a request. */
  void run(Request request, DocumentWriter reply) {
    Entry entry = commands.get(request.name());
    if (entry == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    guard.check(entry.access(), request);
    failPoints.before(request);
    writeLock.awaitUnlocked(request, this::writes);
    writeBlock.check(request, this::writesUserData);
    if (Transactions.includes(request)) {
      runInTransaction(entry.command(), request, reply);
    } else {
      entry.command().run(snapshots.withClusterTime(request), reply);
    }
    failPoints.after(request, reply);
  }

  /**
   * Whether a request can write. {@code aggregate} with {@code $out} counts even with {@code
   * explain}.
   */
  private boolean writes(Request request) {
    Entry entry = commands.get(request.name());
    return entry != null
        && switch (entry.access()) {
          case WRITE, BULK_WRITE, SCHEMA, MANAGE, USERS -> true;
          case AGGREGATE -> AggregateCommand.writes(request);
          case ANYONE, KNOWN -> request.name().equals("commitTransaction");
          case OPERATE -> OPERATOR_WRITES.contains(request.name());
          case READ, INSPECT, MONITOR -> false;
        };
  }

  /** Whether a request writes to a database that is not internal. */
  private boolean writesUserData(Request request) {
    Entry entry = commands.get(request.name());
    return entry != null
        && switch (entry.access()) {
          case WRITE -> !Names.isInternal(request.database());
          case SCHEMA ->
              request.name().equals("renameCollection") || !Names.isInternal(request.database());
          case MANAGE ->
              MANAGER_WRITES.contains(request.name()) && !Names.isInternal(request.database());
          case BULK_WRITE -> bulkWritesUserData(request);
          case AGGREGATE -> AggregateCommand.writes(request);
          case ANYONE, KNOWN ->
              request.name().equals("commitTransaction") && transactions.wrote(request);
          case READ, INSPECT, MONITOR, OPERATE, USERS -> false;
        };
  }

  /**
   * As {@link #writesUserData}, for running requests: a transaction that is being committed no
   * longer knows whether it wrote.
   */
  private boolean mayWriteUserData(Request request) {
    return request.name().equals("commitTransaction") || writesUserData(request);
  }

  private static boolean bulkWritesUserData(Request request) {
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
