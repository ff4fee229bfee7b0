package dev.mayfly.mongo.source;

import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.EngineMonitoring;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mql.rows.Rows;
import java.util.Map;

/** Table of the pipeline stages that return data about the server, by name. */
public final class ServerSources {
  /** A stage without rows: there is no plan cache, and there are no search indexes. */
  private static final ServerStages.Source EMPTY = (_, _, _) -> Rows.none();

  private ServerSources() {}

  /**
   * Returns the stages of a server.
   *
   * @param host name and port of the server, for the field {@code host}
   */
  public static ServerStages of(
      String host,
      Namespaces namespaces,
      IndexUsage indexUsage,
      Monitoring monitoring,
      EngineMonitoring engine,
      Sessions sessions) {
    return new ServerStages(
        Map.of(
            "$collStats", new CollectionStats(host, namespaces, indexUsage, monitoring.totals()),
            "$indexStats", new IndexStats(host, namespaces, indexUsage),
            "$currentOp", new CurrentOperations(monitoring.operations(), engine),
            "$listSessions", new ListedSessions(sessions),
            "$listLocalSessions", new ListedSessions(sessions),
            "$planCacheStats", EMPTY,
            "$listSearchIndexes", EMPTY));
  }
}
