package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Collection;

/**
 * Documents and arrays inside pipelines and expressions, which may exceed the size limit of stored
 * documents.
 */
public final class Intermediate {
  /** Maximum size in bytes. */
  private static final int MOST_BYTES = 64 << 20;

  /** Maximum size in bytes of a stored document: that of a received one. */
  private static final int MOST_STORED = (16 << 20) + (16 << 10);

  private static final int TOO_LARGE = 10334;

  private Intermediate() {}

  /** Returns an empty writer. */
  public static DocumentWriter writer() {
    return Document.largeWriter(MOST_BYTES);
  }

  /** Returns the array of these values; missing ones are left out. */
  public static Value array(Collection<Value> elements) {
    DocumentWriter array = writer();
    elements.forEach(array::add);
    return Value.array(array.build());
  }

  /**
   * Returns the document if it can be stored.
   *
   * @throws QueryException LIMIT_EXCEEDED
   */
  public static Document storable(Document document) {
    if (document.length() > MOST_STORED) {
      throw new QueryException(Reason.LIMIT_EXCEEDED, TOO_LARGE, "document is too large");
    }
    return document;
  }
}
