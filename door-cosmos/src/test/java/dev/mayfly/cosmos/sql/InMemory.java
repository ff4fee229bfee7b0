package dev.mayfly.cosmos.sql;

import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.sql.Groups;
import dev.mayfly.query.sql.Row;
import dev.mayfly.query.sql.Seen;
import dev.mayfly.query.sql.Selection;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/** Runs compiled queries on documents at hand. */
final class InMemory {
  private InMemory() {}

  static Document json(String text) {
    return Json.parse(text.replace('\'', '"'), Limits.COSMOS);
  }

  /** The results as JSON, one per line. */
  static List<String> run(String sql, String... documents) {
    List<Document> parsed = Arrays.stream(documents).map(InMemory::json).toList();
    return run(Parser.parse(sql), parsed, Map.of()).stream().map(Json::write).toList();
  }

  static List<Value> run(Select query, List<Document> documents, Map<String, Value> parameters) {
    return run(Compiler.compile(query, parameters, Map.of()), documents);
  }

  static List<Value> run(CompiledQuery query, List<Document> documents) {
    List<Value> results = new ArrayList<>();
    Seen seen = new Seen(OptionalLong.empty());
    Selection selection = query.selection();
    Selection.Visitor sink =
        value -> {
          if (!selection.distinct() || seen.add(value)) {
            results.add(value);
          }
          return true;
        };
    Row row = Row.of(query.slots(), 0);
    Groups groups =
        selection.grouping().map(one -> new Groups(one, OptionalLong.empty())).orElse(null);
    for (Document document : sorted(query, documents)) {
      row.variable(CompiledQuery.ITEM, Value.of(document));
      selection
          .rows()
          .each(row, inner -> groups == null ? selection.show(inner, sink) : groups.add(inner));
    }
    if (groups != null) {
      groups.each(row, inner -> selection.show(inner, sink));
    }
    long first = Math.min(query.offset(), results.size());
    long end = query.limit() > results.size() - first ? results.size() : first + query.limit();
    return results.subList((int) first, (int) end).stream().limit(query.top()).toList();
  }

  private static List<Document> sorted(CompiledQuery query, List<Document> documents) {
    if (!query.readsItems()) {
      return List.of(Document.EMPTY);
    }
    Matcher matcher = query.filter().matcher(Mode.SQL);
    return documents.stream()
        .filter(matcher::matches)
        .sorted(Comparator.comparing(document -> key(query, document), Arrays::compareUnsigned))
        .toList();
  }

  private static byte[] key(CompiledQuery query, Document document) {
    Row row = Row.of(query.slots(), 0);
    row.variable(CompiledQuery.ITEM, Value.of(document));
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
}
