package dev.mayfly.engine;

import dev.mayfly.value.Document;

/** Function of an update: computes the document after it from the document before. */
@FunctionalInterface
public interface UpdateFunction {
  /** Returns the document after the update. */
  Document apply(Document before);

  /**
   * Returns a note for readers of the feed, read after {@link #apply}. The engine stores it and
   * does not interpret it.
   */
  default Document note() {
    return Document.EMPTY;
  }

  /** An update whose result is known. */
  record Decided(Document after, Document note) implements UpdateFunction {
    @Override
    public Document apply(Document before) {
      return after;
    }
  }
}
