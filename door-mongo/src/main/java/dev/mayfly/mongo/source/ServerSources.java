package dev.mayfly.mongo.source;

import dev.mayfly.mongo.access.Sources;
import dev.mayfly.mongo.access.Uses;
import dev.mayfly.mongo.admin.Monitoring;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.mql.rows.Rows;
import java.util.Map;

/** Every stage that tells about the server, by its name. */
public final class ServerSources {
  /** What there is none of here: plans are not kept, and text is not searched. */
  private static final Sources.Source NOTHING = (_, _, _) -> Rows.none();

  private ServerSources() {}

  /**
   * The stages of a server.
   *
   * @param host name and port by which it is told apart from others
   */
  public static Sources of(
      String host, Namespaces namespaces, Uses uses, Monitoring monitoring, Sessions sessions) {
    return new Sources(
        Map.of(
            "$collStats", new CollectionStats(host, namespaces, uses, monitoring.totals()),
            "$indexStats", new IndexStats(host, namespaces, uses),
            "$currentOp", new CurrentOperations(monitoring.operations()),
            "$listSessions", new ListedSessions(namespaces.engine(), sessions),
            "$listLocalSessions", new ListedSessions(namespaces.engine(), sessions),
            "$planCacheStats", NOTHING,
            "$listSearchIndexes", NOTHING));
  }
}
