package dev.mayfly.mongo.collection;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import java.util.Optional;

/** Index types of MongoDB, determined by the key pattern. */
public enum IndexKind {
  /** Ascending or descending, single or compound. */
  ORDERED(""),
  /** Wildcard index: every path below a path. */
  WILDCARD("wildcard"),
  /** Hashed index: equality only. */
  HASHED("hashed"),
  /** 2dsphere index. */
  SPHERE("2dsphere"),
  /** 2d index. */
  PLANE("2d"),
  /** Text index. */
  TEXT("text");

  private static final String WILDCARD_STEP = "$**";

  private final String plugin;

  IndexKind(String plugin) {
    this.plugin = plugin;
  }

  /** The name in key patterns and error messages. */
  public String plugin() {
    return plugin;
  }

  /** Returns the type of a key pattern; empty if the pattern names an unknown type. */
  static Optional<IndexKind> of(Document key) {
    Fields fields = key.fields();
    boolean wildcard = false;
    while (fields.next()) {
      if (fields.type() == Type.STRING) {
        return named(fields.value().asString());
      }
      wildcard |= isWildcard(fields.name());
    }
    return Optional.of(wildcard ? WILDCARD : ORDERED);
  }

  private static Optional<IndexKind> named(String plugin) {
    for (IndexKind kind : values()) {
      if (kind != ORDERED && kind != WILDCARD && kind.plugin.equals(plugin)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }

  /** Whether a field of a key pattern is a wildcard, such as {@code $**} or {@code a.$**}. */
  static boolean isWildcard(String field) {
    return field.equals(WILDCARD_STEP) || field.endsWith("." + WILDCARD_STEP);
  }

  /**
   * Returns the path before the wildcard, such as {@code a} for {@code a.$**}; empty for the whole
   * document.
   */
  static String below(String field) {
    int end = field.length() - WILDCARD_STEP.length() - 1;
    return end < 0 ? "" : field.substring(0, end);
  }
}
