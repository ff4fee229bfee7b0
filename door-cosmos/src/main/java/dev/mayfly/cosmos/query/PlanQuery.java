package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.engine.Charge;
import dev.mayfly.http.Reply;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * {@code POST .../docs} for a query plan. The server executes the whole query, so the plan is
 * trivial: the client returns the results unchanged. It contains whether the query is a {@code
 * SELECT VALUE}.
 */
public final class PlanQuery implements Endpoint {
  private static final Value NONE = Value.array(List.of());

  private final Containers containers;

  public PlanQuery(Containers containers) {
    this.containers = containers;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = containers.find(exchange.address());
    CompiledQuery query = QueryText.of(exchange.request().body()).plan(container);
    exchange.charge(Charge.MISS);
    Reply reply = new Reply(200).body(Json.bytes(plan(query)));
    return Items.located(reply, container, Items.lsn(container.collection()));
  }

  private static Document plan(CompiledQuery query) {
    DocumentWriter writer = Document.writer().put("partitionedQueryExecutionInfoVersion", 2);
    writer
        .startDocument("queryInfo")
        .put("distinctType", "None")
        .put("top", Value.NULL)
        .put("offset", Value.NULL)
        .put("limit", Value.NULL)
        .put("orderBy", NONE)
        .put("orderByExpressions", NONE)
        .put("groupByExpressions", NONE)
        .put("groupByAliases", NONE)
        .put("aggregates", NONE)
        .put("groupByAliasToAggregateType", Document.EMPTY)
        .put("rewrittenQuery", "")
        .put("hasSelectValue", query.single())
        .put("dCountInfo", Value.NULL)
        .put("hasNonStreamingOrderBy", false)
        .end();
    writer
        .startArray("queryRanges")
        .startDocument()
        .put("min", "")
        .put("max", "FF")
        .put("isMinInclusive", true)
        .put("isMaxInclusive", false)
        .end()
        .end();
    return writer.build();
  }
}
