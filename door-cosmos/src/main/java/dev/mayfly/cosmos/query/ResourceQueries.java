package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.account.Selection;
import dev.mayfly.cosmos.sql.CompiledQuery;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.sql.Row;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Queries over databases, containers and the like: lists that are at hand. They come in no order
 * but their own.
 */
public final class ResourceQueries implements Selection {
  @Override
  public List<Document> select(Document body, List<Document> all) {
    CompiledQuery query = QueryText.of(body).compile();
    Matcher matcher = query.filter().matcher(Mode.SQL);
    Row row = Row.of(query.slots(), 0);
    List<Document> results = new ArrayList<>();
    for (Document resource : all) {
      if (matcher.matches(resource)) {
        row.variable(CompiledQuery.ITEM, Value.of(resource));
        QueryText.understood(
            () ->
                query
                    .selection()
                    .each(row, result -> !result.isDocument() || results.add(result.asDocument())));
      }
    }
    return results.stream()
        .skip(query.offset())
        .limit(Math.min(query.top(), query.limit()))
        .toList();
  }
}
