package dev.mayfly.mongo.source;

import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.admin.TtlMonitor;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mql.rows.Rows;
import java.util.Map;

/** Every stage that tells about the server, by its name. */
public final class ServerSources {
  /** What there is none of here: plans are not kept, and text is not searched. */
  private static final ServerStages.Source NOTHING = (_, _, _) -> Rows.none();

  private ServerSources() {}

  /**
   * The stages of a server.
   *
   * @param host name and port by which it is told apart from others
   */
  public static ServerStages of(
      String host,
      Namespaces namespaces,
      IndexUsage indexUsage,
      Monitoring monitoring,
      TtlMonitor ttl,
      Sessions sessions) {
    return new ServerStages(
        Map.of(
            "$collStats", new CollectionStats(host, namespaces, indexUsage, monitoring.totals()),
            "$indexStats", new IndexStats(host, namespaces, indexUsage),
            "$currentOp", new CurrentOperations(monitoring.operations(), ttl),
            "$listSessions", new ListedSessions(sessions),
            "$listLocalSessions", new ListedSessions(sessions),
            "$planCacheStats", NOTHING,
            "$listSearchIndexes", NOTHING));
  }
}
