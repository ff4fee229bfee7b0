package dev.mayfly.cosmos.query;

import dev.mayfly.sql.compiler.Parser;
import dev.mayfly.sql.compiler.Select;
import dev.mayfly.sql.compiler.SqlException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Cache of parsed queries: programs repeat the same few texts. Safe for many threads. */
final class Syntax {
  private static final int MAX_TEXTS = 1000;

  /** Longer texts are rarely repeated. */
  private static final int MAX_LENGTH = 4096;

  private static final ConcurrentMap<String, Select> KNOWN = new ConcurrentHashMap<>();

  private Syntax() {}

  /**
   * Parses a text, or returns the cached syntax tree.
   *
   * @throws SqlException if the text is not a query
   */
  static Select of(String text) {
    Select cached = KNOWN.get(text);
    if (cached != null) {
      return cached;
    }
    Select parsed = Parser.parse(text);
    if (text.length() <= MAX_LENGTH) {
      if (KNOWN.size() >= MAX_TEXTS) {
        // texts that are still in use are added again
        KNOWN.clear();
      }
      KNOWN.put(text, parsed);
    }
    return parsed;
  }
}
