package dev.mayfly.sql.compiler;

import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.sql.DistinctFilter;
import dev.mayfly.sql.Groups;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.Rows;
import dev.mayfly.sql.Selection.Visitor;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/** Runs a query over documents in memory, without indexes. */
public final class InMemoryQuery {
  private InMemoryQuery() {}

  /** Returns the results in order. */
  public static List<Value> of(CompiledQuery query, List<Document> documents, long now) {
    Row row = Row.of(query.slots(), now);
    return results(query, row, found(query, row, documents)).stream()
        .skip(query.offset())
        .limit(Math.min(query.top(), query.limit()))
        .toList();
  }

  /** Returns the matching documents in the order of the query, or in their own order. */
  private static List<Document> found(CompiledQuery query, Row row, List<Document> all) {
    if (!query.readsItems()) {
      return List.of(Document.EMPTY);
    }
    Matcher matcher = query.filter().matcher(Mode.SQL);
    return all.stream()
        .filter(matcher::matches)
        .sorted(
            Comparator.comparing(document -> key(query, row, document), Arrays::compareUnsigned))
        .toList();
  }

  private static byte[] key(CompiledQuery query, Row row, Document document) {
    row.document(CompiledQuery.ITEM, Value.of(document));
    KeyWriter key = new KeyWriter();
    for (CompiledQuery.Key part : query.order()) {
      Value value = part.value().evaluate(row);
      if (part.descending()) {
        key.appendDescending(value, Order.COSMOS);
      } else {
        key.append(value, Order.COSMOS);
      }
    }
    return key.bytes();
  }

  private static List<Value> results(CompiledQuery query, Row row, List<Document> found) {
    List<Value> results = new ArrayList<>();
    DistinctFilter distinctFilter = new DistinctFilter(QueryMemory.unlimited());
    boolean distinct = query.selection().distinct();
    Visitor visitor = value -> (distinct && !distinctFilter.add(value)) || results.add(value);
    if (query.grouping().isEmpty()) {
      eachRow(query, row, found, inner -> query.selection().project(inner, visitor));
    } else {
      Groups groups = groups(query, row, found);
      groups.each(row, inner -> query.selection().project(inner, visitor));
    }
    return results;
  }

  private static Groups groups(CompiledQuery query, Row row, List<Document> found) {
    Groups groups = new Groups(query.grouping().orElseThrow(), QueryMemory.unlimited());
    DistinctFilter seen = new DistinctFilter(QueryMemory.unlimited());
    OptionalInt distinct = query.distinctSource();
    eachRow(
        query,
        row,
        found,
        inner -> {
          boolean repeated = distinct.isPresent() && !seen.add(inner.variable(distinct.getAsInt()));
          return repeated || groups.add(inner);
        });
    return groups;
  }

  private static void eachRow(
      CompiledQuery query, Row row, List<Document> found, Rows.Visitor visitor) {
    for (Document document : found) {
      row.document(CompiledQuery.ITEM, Value.of(document));
      query.selection().rows().each(row, visitor);
    }
  }
}
