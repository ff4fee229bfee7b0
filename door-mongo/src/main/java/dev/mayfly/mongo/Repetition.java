package dev.mayfly.mongo;

import dev.mayfly.mongo.command.ErrorLabels;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.read.AggregateCommand;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/** Whether a request can be sent again if its server has lost the cell meanwhile. */
final class Repetition {
  private static final Set<String> READS =
      Set.of(
          "collStats",
          "collstats",
          "count",
          "dataSize",
          "datasize",
          "dbHash",
          "dbStats",
          "dbhash",
          "dbstats",
          "distinct",
          "explain",
          "filemd5",
          "find",
          "getParameter",
          "listCollections",
          "listIndexes",
          "mayflyExplainExpiry",
          "mayflyForecast",
          "mayflyWarnings",
          "mayflyWhatIf",
          "planCacheListFilters",
          "rolesInfo",
          "usersInfo",
          "validate");

  private static final Set<String> ENDS_TRANSACTION =
      Set.of("commitTransaction", "abortTransaction");

  private Repetition() {}

  /**
   * Returns whether a second execution is harmless: the request only reads, or the engine
   * recognizes the repetition by its number.
   */
  static boolean isRepeatable(Request request) {
    if (Transactions.includes(request)) {
      return ENDS_TRANSACTION.contains(request.name());
    }
    return READS.contains(request.name())
        || ErrorLabels.isRetryableWrite(request.body())
        || (request.name().equals("aggregate") && !AggregateCommand.writes(request));
  }

  /**
   * Returns whether a request that failed, because a part of it could not be done, has done
   * nothing.
   */
  static boolean isAllOrNothing(Request request) {
    if (isRepeatable(request) || Transactions.includes(request)) {
      return true;
    }
    return switch (request.name()) {
      case "insert" -> request.documents("documents").size() == 1;
      case "update" -> isSingle(request.documents("updates"), "multi", Value.TRUE);
      case "delete" -> isSingle(request.documents("deletes"), "limit", Value.of(0));
      case "aggregate", "bulkWrite", "createIndexes", "dropDatabase" -> false;
      case String _ -> true;
    };
  }

  private static boolean isSingle(List<Document> statements, String field, Value ofMany) {
    return statements.size() == 1 && !statements.getFirst().field(field).equals(ofMany);
  }
}
