package dev.mayfly.mongo.collection;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import java.util.Optional;

/** What an index is made for, as its key pattern says. */
public enum IndexKind {
  /** Values in order. */
  ORDERED(""),
  /** Every path below one, each with its values. */
  WILDCARD("wildcard"),
  /** Equality alone. */
  HASHED("hashed"),
  /** Places on a sphere. */
  SPHERE("2dsphere"),
  /** Places on a plane. */
  PLANE("2d"),
  /** Words. */
  TEXT("text");

  private static final String WILDCARD_STEP = "$**";

  private final String plugin;

  IndexKind(String plugin) {
    this.plugin = plugin;
  }

  /** The name by which messages know it. */
  public String plugin() {
    return plugin;
  }

  /** The kind that a key pattern asks for; empty when it names one that does not exist. */
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

  /** Whether a field of a key pattern stands for all paths below one. */
  static boolean isWildcard(String field) {
    return field.equals(WILDCARD_STEP) || field.endsWith("." + WILDCARD_STEP);
  }

  /** The path below which a wildcard holds everything; empty for the whole document. */
  static String below(String field) {
    int end = field.length() - WILDCARD_STEP.length() - 1;
    return end < 0 ? "" : field.substring(0, end);
  }
}
