package dev.mayfly.mongo.auth;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Determines the privileges that a command requires: MongoDB's actions on the namespaces that it
 * reads and writes, including those of nested commands and pipelines.
 */
final class CommandNeeds {
  private static final String BYPASS = "bypassDocumentValidation";
  private static final Map<String, Function<Request, Need>> BY_COMMAND = new HashMap<>();

  static {
    addWithoutNeeds();
    addDocuments();
    addSchema();
    addServer();
    BY_COMMAND.putAll(UserNeeds.BY_COMMAND);
  }

  private CommandNeeds() {}

  /**
   * The privileges that a request requires.
   *
   * @throws CommandException if the request is malformed or the command is unknown
   */
  static Need of(Request request) {
    Function<Request, Need> needs = BY_COMMAND.get(request.name());
    if (needs == null) {
      throw new CommandException(
          ErrorCode.COMMAND_NOT_FOUND, "no such command: '" + request.name() + "'");
    }
    return needs.apply(request);
  }

  /** Commands without required privileges; cursors and sessions check their owner themselves. */
  private static void addWithoutNeeds() {
    for (String command :
        List.of(
            "hello",
            "isMaster",
            "ismaster",
            "_isSelf",
            "ping",
            "buildInfo",
            "buildinfo",
            "whatsmyuri",
            "listCommands",
            "authenticate",
            "saslStart",
            "saslContinue",
            "logout",
            "connectionStatus",
            "getMore",
            "killCursors",
            "startSession",
            "refreshSessions",
            "endSessions",
            "killSessions",
            "commitTransaction",
            "abortTransaction")) {
      BY_COMMAND.put(command, _ -> Need.NOTHING);
    }
  }

  private static void addDocuments() {
    for (String command : List.of("find", "count", "distinct")) {
      BY_COMMAND.put(command, collection("find"));
    }
    BY_COMMAND.put("explain", request -> of(request.explained()));
    BY_COMMAND.put("aggregate", PipelineNeeds::ofAggregate);
    BY_COMMAND.put(
        "filemd5",
        request -> Need.on(Names.namespace(request.database(), Names.chunks(request)), "find"));
    BY_COMMAND.put("dataSize", request -> Need.on(full(request, request.name()), "find"));
    BY_COMMAND.put("datasize", request -> Need.on(full(request, request.name()), "find"));
    BY_COMMAND.put("insert", request -> write(request, request.namespace(), Set.of("insert")));
    BY_COMMAND.put("delete", request -> write(request, request.namespace(), Set.of("remove")));
    BY_COMMAND.put("update", request -> write(request, request.namespace(), updates(request)));
    BY_COMMAND.put("findAndModify", CommandNeeds::findAndModify);
    BY_COMMAND.put("findandmodify", CommandNeeds::findAndModify);
    BY_COMMAND.put("bulkWrite", CommandNeeds::bulkWrite);
    BY_COMMAND.put("planCacheClear", collection("planCacheWrite"));
    BY_COMMAND.put("planCacheClearFilters", collection("planCacheIndexFilter"));
    BY_COMMAND.put("planCacheListFilters", collection("planCacheIndexFilter"));
  }

  private static void addSchema() {
    BY_COMMAND.put("create", CommandNeeds::create);
    BY_COMMAND.put("collMod", CommandNeeds::collMod);
    BY_COMMAND.put("createIndexes", collection("createIndex"));
    BY_COMMAND.put("drop", collection("dropCollection"));
    BY_COMMAND.put("dropIndexes", collection("dropIndex"));
    BY_COMMAND.put("deleteIndexes", collection("dropIndex"));
    BY_COMMAND.put("dropDatabase", database("dropDatabase"));
    BY_COMMAND.put("renameCollection", CommandNeeds::rename);
    BY_COMMAND.put("cloneCollectionAsCapped", CommandNeeds::cloneAsCapped);
    BY_COMMAND.put("convertToCapped", collection("convertToCapped"));
    BY_COMMAND.put("compact", collection("compact"));
    BY_COMMAND.put("reIndex", collection("reIndex"));
    BY_COMMAND.put("validate", collection("validate"));
    BY_COMMAND.put("collStats", collection("collStats"));
    BY_COMMAND.put("collstats", collection("collStats"));
    BY_COMMAND.put("listIndexes", collection("listIndexes"));
    BY_COMMAND.put("mayflyExplainExpiry", collection("find"));
    BY_COMMAND.put("mayflyWarnings", collection("find"));
    BY_COMMAND.put("mayflyForecast", collection("collStats"));
    BY_COMMAND.put("mayflyWhatIf", collection("collStats"));
    BY_COMMAND.put("mayflyUndoExpiry", collection("collMod"));
    BY_COMMAND.put("mayflyTouch", CommandNeeds::touch);
    BY_COMMAND.put("dbHash", database("dbHash"));
    BY_COMMAND.put("dbhash", database("dbHash"));
    BY_COMMAND.put("dbStats", database("dbStats"));
    BY_COMMAND.put("dbstats", database("dbStats"));
    BY_COMMAND.put("listCollections", CommandNeeds::listCollections);
    BY_COMMAND.put("listDatabases", CommandNeeds::listDatabases);
    BY_COMMAND.put("profile", CommandNeeds::profile);
  }

  private static void addServer() {
    for (String action :
        List.of(
            "serverStatus",
            "hostInfo",
            "getCmdLineOpts",
            "getLog",
            "getParameter",
            "setParameter",
            "getDefaultRWConcern",
            "setDefaultRWConcern",
            "setFeatureCompatibilityVersion",
            "setUserWriteBlockMode",
            "top",
            "replSetGetStatus",
            "replSetGetConfig",
            "connPoolStats",
            "logRotate",
            "shutdown",
            "fsync")) {
      BY_COMMAND.put(action, cluster(action));
    }
    BY_COMMAND.put("replSetInitiate", cluster("replSetConfigure"));
    BY_COMMAND.put("fsyncUnlock", cluster("unlock"));
    BY_COMMAND.put("killOp", cluster("killop"));
    BY_COMMAND.put("killAllSessions", cluster("killAnySession"));
    BY_COMMAND.put("killAllSessionsByPattern", cluster("killAnySession"));
    BY_COMMAND.put("mayflyClock", cluster("setParameter"));
    BY_COMMAND.put("configureFailPoint", cluster("setParameter"));
    BY_COMMAND.put(
        "currentOp",
        request -> request.flag("$ownOps", false) ? Need.NOTHING : Need.onCluster("inprog"));
  }

  private static Function<Request, Need> collection(String... actions) {
    return request -> Need.on(request.namespace(), actions);
  }

  private static Function<Request, Need> database(String... actions) {
    return request -> Need.onDatabase(request.database(), actions);
  }

  private static Function<Request, Need> cluster(String... actions) {
    return _ -> Need.onCluster(actions);
  }

  /** The namespace in a field. */
  private static Namespace full(Request request, String field) {
    return Names.full(request.text(field, ""));
  }

  private static Need write(Request request, Namespace namespace, Set<String> actions) {
    Set<String> all = new LinkedHashSet<>(actions);
    if (request.flag(BYPASS, false)) {
      all.add(BYPASS);
    }
    return Need.on(namespace, all.toArray(String[]::new));
  }

  private static Set<String> updates(Request request) {
    return request.documents("updates").stream().anyMatch(CommandNeeds::upserts)
        ? Set.of("update", "insert")
        : Set.of("update");
  }

  private static boolean upserts(Document update) {
    Value upsert = update.field("upsert");
    return !upsert.isMissing() && !upsert.equals(Value.FALSE);
  }

  private static Need findAndModify(Request request) {
    Set<String> actions = new LinkedHashSet<>(Set.of("find"));
    actions.add(request.flag("remove", false) ? "remove" : "update");
    if (request.flag("upsert", false)) {
      actions.add("insert");
    }
    return write(request, request.namespace(), actions);
  }

  /** Each operation requires its action on its namespace. */
  private static Need bulkWrite(Request request) {
    List<Namespace> namespaces = new ArrayList<>();
    for (Document info : request.documents("nsInfo")) {
      Value name = info.field("ns");
      namespaces.add(Names.full(name.type() == Type.STRING ? name.asString() : ""));
    }
    Set<Need> needs = new LinkedHashSet<>();
    for (Document operation : request.documents("ops")) {
      Fields fields = operation.fields();
      if (fields.next() && fields.value().isNumber()) {
        int place = (int) fields.value().asDouble();
        // the command itself rejects an invalid index or operation
        if (place >= 0 && place < namespaces.size()) {
          needs.add(write(request, namespaces.get(place), actions(fields.name(), operation)));
        }
      }
    }
    return Need.all(List.copyOf(needs));
  }

  private static Set<String> actions(String kind, Document operation) {
    return switch (kind) {
      case "insert" -> Set.of("insert");
      case "update" -> upserts(operation) ? Set.of("update", "insert") : Set.of("update");
      default -> Set.of("remove");
    };
  }

  /**
   * The creator of a view needs the privileges of its pipeline, because the view makes the results
   * available to other users.
   */
  private static Need create(Request request) {
    Namespace namespace = request.namespace();
    if (request.has("viewOn")) {
      return Need.all(Need.on(namespace, "createCollection"), view(request));
    }
    Need create =
        request.flag("capped", false)
            ? Need.on(namespace, "createCollection", "convertToCapped")
            : Need.anyOf(Need.on(namespace, "createCollection"), Need.on(namespace, "insert"));
    return withAction(request, create);
  }

  /**
   * The documents of an action on expiry are written to another collection, or leave the server:
   * the user must be allowed to write there, or to administer the server.
   */
  private static Need withAction(Request request, Need need) {
    Value action = request.field("mayflyOnExpire");
    if (!action.isDocument()) {
      return need;
    }
    Value target = action.asDocument().field("moveTo");
    int dot = target.type() == Type.STRING ? target.asString().indexOf('.') : -1;
    // the command itself rejects an invalid name
    if (dot > 0 && dot < target.asString().length() - 1) {
      Namespace to =
          new Namespace(target.asString().substring(0, dot), target.asString().substring(dot + 1));
      return Need.all(need, Need.on(to, "insert", "update"));
    }
    return Need.all(need, Need.onCluster("setParameter"));
  }

  private static Need touch(Request request) {
    return Need.on(request.namespace(), request.has("filter") ? "update" : "collMod");
  }

  private static Need collMod(Request request) {
    Need collMod = Need.on(request.namespace(), "collMod");
    return request.has("viewOn") ? Need.all(collMod, view(request)) : withAction(request, collMod);
  }

  private static Need view(Request request) {
    List<Document> stages =
        request.has("pipeline") || request.sequences().containsKey("pipeline")
            ? request.documents("pipeline")
            : List.of();
    return PipelineNeeds.ofView(
        Names.namespace(request.database(), request.text("viewOn", "")), stages);
  }

  /**
   * Within a database, renameCollectionSameDB suffices if the user does not gain read access by the
   * rename. Otherwise the privileges of a copy and a drop are required.
   */
  private static Need rename(Request request) {
    Namespace from = full(request, request.name());
    Namespace to = full(request, "to");
    Need target = request.flag("dropTarget", false) ? Need.on(to, "dropCollection") : Need.NOTHING;
    Need copy =
        Need.all(
            Need.on(from, "find", "dropCollection"), Need.on(to, "insert", "createIndex"), target);
    boolean within = from.database().equals(to.database());
    if (!within || Names.isSystem(from) || Names.isSystem(to)) {
      return copy;
    }
    Need rename =
        Need.all(
            Need.onDatabase(from.database(), "renameCollectionSameDB"),
            target,
            Need.anyOf(Need.on(from, "find"), new Need.Not(Need.on(to, "find"))));
    return Need.anyOf(rename, copy);
  }

  private static Need cloneAsCapped(Request request) {
    Namespace to = Names.namespace(request.database(), request.text("toCollection", ""));
    return Need.all(
        Need.on(request.namespace(), "find"),
        Need.on(to, "insert", "createIndex", "convertToCapped"));
  }

  /** No privilege is required to list only the names of authorized collections. */
  private static Need listCollections(Request request) {
    return request.flag("nameOnly", false) && request.flag("authorizedCollections", false)
        ? Need.NOTHING
        : Need.onDatabase(request.database(), "listCollections");
  }

  /** No privilege is required to list only authorized databases. */
  private static Need listDatabases(Request request) {
    return request.flag("authorizedDatabases", true)
        ? Need.NOTHING
        : Need.onCluster("listDatabases");
  }

  /** To read the profiler settings, find on system.profile suffices. */
  private static Need profile(Request request) {
    Need change = Need.onDatabase(request.database(), "enableProfiler");
    boolean readsOnly =
        request.number(request.name(), 0) < 0
            && !request.has("slowms")
            && !request.has("sampleRate")
            && !request.has("filter");
    return readsOnly
        ? Need.anyOf(change, Need.on(Names.namespace(request.database(), "system.profile"), "find"))
        : change;
  }
}
