package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.sql.compiler.CompiledQuery;
import dev.mayfly.sql.compiler.InMemoryQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Queries over databases, containers and other resources, in memory. */
public final class ResourceQueries implements Selection {
  @Override
  public List<Value> select(Document body, List<Document> all, long now) {
    CompiledQuery query = QueryText.of(body).compile();
    return QueryText.translated(() -> InMemoryQuery.of(query, all, now));
  }
}
