package dev.mayfly.query;

import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Collection;

/**
 * Documents and arrays between the stages of a pipeline and inside of expressions: they may be
 * larger than what is stored or returned.
 */
public final class Intermediate {
  /** How many bytes one may have. */
  private static final int MOST_BYTES = 64 << 20;

  /** How many bytes a document may have that is stored: as many as one that is received. */
  private static final int MOST_STORED = (16 << 20) + (16 << 10);

  private static final int TOO_LARGE = 10334;

  private Intermediate() {}

  /** An empty writer. */
  public static DocumentWriter writer() {
    return Document.largeWriter(MOST_BYTES);
  }

  /** The array of these values; missing ones are left out. */
  public static Value array(Collection<Value> elements) {
    DocumentWriter array = writer();
    elements.forEach(array::add);
    return Value.array(array.build());
  }

  /**
   * The document, if it can be stored.
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
