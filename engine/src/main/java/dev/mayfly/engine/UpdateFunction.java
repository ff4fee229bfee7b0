package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * Function of an update: computes the document after it from the document before.
 *
 * <pre>{@code
 * UpdateFunction touched =
 *     before -> Document.writer().putAll(before).put("seen", true).build();
 * things.write(new Write.Update(key, touched, Write.ANY_VERSION));
 * }</pre>
 */
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
