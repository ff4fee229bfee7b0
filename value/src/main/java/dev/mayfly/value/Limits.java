package dev.mayfly.value;

/**
 * How large and how deep a document may be.
 *
 * @param maxBytes the most bytes of one document, its own length field included
 * @param maxDepth the most documents and arrays inside one another, the outermost counted as one
 */
public record Limits(int maxBytes, int maxDepth) {
  private static final int MEBIBYTE = 1 << 20;

  /** What MongoDB stores. */
  public static final Limits MONGO = new Limits(16 * MEBIBYTE, 180);

  /** What Cosmos DB stores, in the larger of its size limits. */
  public static final Limits COSMOS = new Limits(16 * MEBIBYTE, 128);

  /** Refuses limits under which not even the empty document is valid. */
  public Limits {
    if (maxBytes < 5 || maxDepth < 1) {
      throw new IllegalArgumentException("limits must admit the empty document");
    }
  }
}
