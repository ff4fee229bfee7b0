package dev.mayfly.mongo.command;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Set;

/**
 * MongoDB's Stable API: checks {@code apiVersion}, and with {@code apiStrict} that a request uses
 * only what belongs to that version.
 *
 * <p>There is one version. It contains the commands below, without some pipeline stages and index
 * options.
 */
public final class StableApi {
  private static final String VERSION = "1";

  private static final Set<String> COMMANDS =
      Set.of(
          "abortTransaction",
          "aggregate",
          "authenticate",
          "bulkWrite",
          "collMod",
          "commitTransaction",
          "count",
          "create",
          "createIndexes",
          "delete",
          "drop",
          "dropDatabase",
          "dropIndexes",
          "endSessions",
          "explain",
          "find",
          "findAndModify",
          "getMore",
          "hello",
          "insert",
          "killCursors",
          "listCollections",
          "listDatabases",
          "listIndexes",
          "ping",
          "refreshSessions",
          "saslContinue",
          "saslStart",
          "update");

  private static final Set<String> UNSTABLE_STAGES =
      Set.of(
          "$currentOp",
          "$indexStats",
          "$listLocalSessions",
          "$listSessions",
          "$planCacheStats",
          "$search",
          "$searchMeta");

  private static final Set<String> UNSTABLE_INDEX_OPTIONS =
      Set.of("background", "bucketSize", "dropDups", "prepareUnique", "sparse", "storageEngine");

  private StableApi() {}

  /**
   * Fails if the API parameters of a request are invalid or the request does not conform to them.
   *
   * @throws CommandException INVALID_OPTIONS, API_VERSION_ERROR, API_STRICT_ERROR
   */
  public static void check(Request request) {
    Value version = request.field("apiVersion");
    if (version.isMissing()) {
      if (request.has("apiStrict") || request.has("apiDeprecationErrors")) {
        throw new CommandException(
            ErrorCode.INVALID_OPTIONS,
            "Provided apiStrict and/or apiDeprecationErrors without passing apiVersion");
      }
      return;
    }
    if (version.type() != Type.STRING || !version.asString().equals(VERSION)) {
      throw new CommandException(
          ErrorCode.API_VERSION_ERROR, "API version must be \"" + VERSION + "\"");
    }
    if (request.flag("apiStrict", false)) {
      checkStrict(request);
    }
  }

  private static void checkStrict(Request request) {
    if (!COMMANDS.contains(request.name())) {
      throw notIn("the command " + request.name() + " is not in API Version " + VERSION);
    }
    switch (request.name()) {
      case "aggregate" -> checkStages(request.field("pipeline"));
      case "createIndexes" -> checkIndexes(request);
      default -> {}
    }
  }

  private static void checkStages(Value pipeline) {
    if (!pipeline.isArray()) {
      return;
    }
    Fields stages = pipeline.asDocument().fields();
    while (stages.next()) {
      if (stages.value().isDocument()) {
        Fields stage = stages.value().asDocument().fields();
        if (stage.next() && UNSTABLE_STAGES.contains(stage.name())) {
          throw notIn("stage " + stage.name() + " is not allowed in API Version " + VERSION);
        }
      }
    }
  }

  private static void checkIndexes(Request request) {
    for (Document index : request.documents("indexes")) {
      Fields options = index.fields();
      while (options.next()) {
        if (UNSTABLE_INDEX_OPTIONS.contains(options.name())) {
          throw new CommandException(
              ErrorCode.API_STRICT_ERROR,
              "BSON field 'createIndexes.indexes."
                  + options.name()
                  + "' is not allowed with apiStrict:true.");
        }
      }
    }
  }

  private static CommandException notIn(String what) {
    return new CommandException(ErrorCode.API_STRICT_ERROR, "Provided apiStrict:true, but " + what);
  }
}
