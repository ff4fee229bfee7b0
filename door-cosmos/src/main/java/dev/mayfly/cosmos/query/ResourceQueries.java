package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.cosmos.sql.CompiledQuery;
import dev.mayfly.cosmos.sql.HeapRun;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Queries over databases, containers and the like: lists that are at hand. */
public final class ResourceQueries implements Selection {
  @Override
  public List<Value> select(Document body, List<Document> all, long now) {
    CompiledQuery query = QueryText.of(body).compile();
    return QueryText.understood(() -> HeapRun.of(query, all, now));
  }
}
