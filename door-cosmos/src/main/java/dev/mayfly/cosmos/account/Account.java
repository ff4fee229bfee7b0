package dev.mayfly.cosmos.account;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Member;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** The account resource, which clients read first to learn the locations of the service. */
public final class Account {
  private static final String LOCATION = "Local";

  /** Configuration of the query engine: JSON within a JSON string. */
  private static final String QUERY_ENGINE =
      Json.write(
          Document.writer()
              .put("maxSqlQueryInputLength", 262_144)
              .put("maxJoinsPerSqlQuery", 10)
              .put("maxLogicalAndPerSqlQuery", 2_000)
              .put("maxLogicalOrPerSqlQuery", 2_000)
              .put("maxUdfRefPerSqlQuery", 10)
              .put("maxInExpressionItemsCount", 16_000)
              .put("queryMaxInMemorySortDocumentCount", 500)
              .put("maxQueryRequestTimeoutFraction", 0.9)
              .put("sqlAllowNonFiniteNumbers", false)
              .put("sqlAllowAggregateFunctions", true)
              .put("sqlAllowSubQuery", true)
              .put("sqlAllowScalarSubQuery", true)
              .put("allowNewKeywords", true)
              .put("sqlAllowLike", true)
              .put("sqlAllowGroupByClause", true)
              .put("maxSpatialQueryCells", 12)
              .put("spatialMaxGeometryPointCount", 256)
              .put("sqlDisableQueryILOptimization", false)
              .put("sqlDisableFilterPlanOptimization", false)
              .put("sqlAllowTop", true)
              .put("enableSpatialIndexing", true)
              .build());

  private final Cells cells;

  /** Creates the account of a server and of the other servers of its cluster. */
  public Account(Cells cells) {
    this.cells = cells;
  }

  /**
   * Returns the account. The first of its locations is this server, with the address that the
   * client used. The others are the other servers that give signs of life.
   */
  public Reply read(Exchange exchange) {
    Request request = exchange.request();
    String host = request.authority().isEmpty() ? "localhost" : request.authority();
    String endpoint = (request.secure() ? "https://" : "http://") + host + "/";
    return AccountBodies.read(exchange, describe(nameOf(host), locations(endpoint)));
  }

  private static String nameOf(String authority) {
    int colon = authority.lastIndexOf(':');
    return colon < 0 || authority.endsWith("]") ? authority : authority.substring(0, colon);
  }

  private Value locations(String endpoint) {
    List<Value> locations = new ArrayList<>();
    Member self = cells.self();
    locations.add(location(self, endpoint));
    for (Member member : cells.members()) {
      if (member.slot() != self.slot()) {
        member.cosmos().map(other -> location(member, other)).ifPresent(locations::add);
      }
    }
    return Value.array(locations);
  }

  /** The name of a location is the same in the accounts of all servers. */
  private static Value location(Member member, String endpoint) {
    return Value.of(
        Document.writer()
            .put("name", member.slot() == 0 ? LOCATION : LOCATION + " " + member.slot())
            .put("databaseAccountEndpoint", endpoint)
            .build());
  }

  private static Document describe(String name, Value locations) {
    DocumentWriter writer =
        Document.writer()
            .put("_self", "")
            .put("id", name)
            .put("_rid", name)
            .put("media", "//media/")
            .put("addresses", "//addresses/")
            .put("_dbs", "//dbs/");
    writer.put("writableLocations", locations);
    writer.put("readableLocations", locations);
    writer.put("enableMultipleWriteLocations", false);
    replication(writer, "userReplicationPolicy");
    writer.startDocument("userConsistencyPolicy").put("defaultConsistencyLevel", "Session").end();
    replication(writer, "systemReplicationPolicy");
    writer
        .startDocument("readPolicy")
        .put("primaryReadCoefficient", 1)
        .put("secondaryReadCoefficient", 1)
        .end();
    return writer.put("queryEngineConfiguration", QUERY_ENGINE).build();
  }

  private static void replication(DocumentWriter writer, String name) {
    writer
        .startDocument(name)
        .put("asyncReplication", false)
        .put("minReplicaSetSize", 1)
        .put("maxReplicasetSize", 1)
        .end();
  }
}
