package dev.mayfly.engine;

import dev.mayfly.value.Document;

/** What becomes of a document that is updated. */
@FunctionalInterface
public interface UpdateFunction {
  /** The document after. */
  Document apply(Document before);

  /**
   * What those who read of it in the feed are to know besides, asked when it was applied. The
   * engine keeps it and does not look into it.
   */
  default Document note() {
    return Document.EMPTY;
  }

  /** One whose end is known. */
  record Decided(Document after, Document note) implements UpdateFunction {
    @Override
    public Document apply(Document before) {
      return after;
    }
  }
}
