package dev.mayfly.cosmos.query;

import dev.mayfly.sql.compiler.Parser;
import dev.mayfly.sql.compiler.Select;
import dev.mayfly.sql.compiler.SqlException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Texts of queries and what they mean: programs ask the same few again and again. Safe for many
 * threads.
 */
final class Syntax {
  private static final int MOST_TEXTS = 1000;

  /** Longer texts are rarely asked twice. */
  private static final int LONGEST = 4096;

  private static final ConcurrentMap<String, Select> KNOWN = new ConcurrentHashMap<>();

  private Syntax() {}

  /**
   * What a text means.
   *
   * @throws SqlException when it means nothing
   */
  static Select of(String text) {
    Select known = KNOWN.get(text);
    if (known != null) {
      return known;
    }
    Select parsed = Parser.parse(text);
    if (text.length() <= LONGEST) {
      if (KNOWN.size() >= MOST_TEXTS) {
        // those that are asked again come back
        KNOWN.clear();
      }
      KNOWN.put(text, parsed);
    }
    return parsed;
  }
}
