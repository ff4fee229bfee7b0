package dev.mayfly.sql.compiler;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Queries and documents as texts. */
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
    return InMemoryQuery.of(Compiler.compile(query, parameters, Map.of()), documents, 0);
  }
}
