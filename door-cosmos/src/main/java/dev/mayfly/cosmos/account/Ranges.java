package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.SessionToken;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Partition key ranges of a container: always one. */
public final class Ranges {
  private static final String ETAG = "\"0\"";

  private final Containers containers;

  public Ranges(Containers containers) {
    this.containers = containers;
  }

  /** Lists the range; clients repeat the request with the ETag until they get a 304. */
  public Reply list(Exchange exchange) {
    Container container = containers.find(exchange.address());
    if (ETAG.equals(exchange.request().header(HeaderNames.IF_NONE_MATCH))) {
      exchange.charge(1);
      return new Reply(AccountBodies.NOT_MODIFIED).header(HeaderNames.ETAG, ETAG);
    }
    String owner = container.rid().text();
    return AccountBodies.list(exchange, owner, "PartitionKeyRanges", List.of(whole(container)))
        .header(HeaderNames.ETAG, ETAG);
  }

  private static Document whole(Container container) {
    Rid rid = container.rid().child(Rid.Kind.PARTITION_KEY_RANGE, 0);
    return Document.writer()
        .put("_rid", rid.text())
        .put("id", SessionToken.WHOLE)
        .put("_etag", ETAG)
        .put("minInclusive", "")
        .put("maxExclusive", "FF")
        .put("ridPrefix", 0)
        .put("_self", container.self() + "pkranges/" + rid + "/")
        .put("throughputFraction", 1)
        .put("status", "online")
        .put("parents", Value.array(List.of()))
        .put("_ts", container.resource().field("_ts"))
        .build();
  }
}
