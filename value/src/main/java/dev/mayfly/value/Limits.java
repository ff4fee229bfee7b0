package dev.mayfly.value;

/**
 * Limits of the size and depth of documents.
 *
 * @param maxBytes maximum size of one document in bytes, including its length field
 * @param maxDepth maximum nesting of documents and arrays; the outermost counts as one
 */
public record Limits(int maxBytes, int maxDepth) {
  private static final int MEBIBYTE = 1 << 20;

  /** The limits of MongoDB. */
  public static final Limits MONGO = new Limits(16 * MEBIBYTE, 180);

  /** The limits of Cosmos DB, with the larger of its size limits. */
  public static final Limits COSMOS = new Limits(16 * MEBIBYTE, 128);

  /** Rejects limits under which not even the empty document is valid. */
  public Limits {
    if (maxBytes < 5 || maxDepth < 1) {
      throw new IllegalArgumentException("limits must admit the empty document");
    }
  }
}
