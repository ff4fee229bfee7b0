package dev.mayfly.mongo.collection;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import java.util.Optional;

/** Index types of MongoDB, determined by the key pattern. */
public enum IndexKind {
  /** Ascending or descending, single or compound. */
  ORDERED("", true),
  /** Wildcard index: every path below a path. */
  WILDCARD("wildcard", true),
  /** Hashed index: equality only. */
  HASHED("hashed", true),
  /** 2dsphere index. */
  SPHERE("2dsphere", true),
  /** 2d index. */
  PLANE("2d", false),
  /** Text index. */
  TEXT("text", false);

  private static final String WILDCARD_STEP = "$**";

  private final String plugin;
  private final boolean inEngine;

  IndexKind(String plugin, boolean inEngine) {
    this.plugin = plugin;
    this.inEngine = inEngine;
  }

  /** Whether the engine has indexes of this type; others are only listed. */
  boolean inEngine() {
    return inEngine;
  }

  /** Whether key patterns name the type, as in {@code {at: "2dsphere"}}. */
  public boolean isPlugin() {
    return this != ORDERED && this != WILDCARD;
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
      if (kind.isPlugin() && kind.plugin.equals(plugin)) {
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
