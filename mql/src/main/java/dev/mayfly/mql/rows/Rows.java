package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;
import java.util.Iterator;
import java.util.List;

/**
 * Documents one after the other, made when they are asked for.
 *
 * <p>Before the first {@link #next()} there is no current document. Belongs to one thread at a
 * time; must be closed, which ends it early or late and may be done twice.
 */
public interface Rows extends AutoCloseable {
  /** Goes to the next document; false, from then on, when there is none. */
  boolean next();

  /** The document that {@link #next()} went to; it stays valid after the next step. */
  Document current();

  @Override
  void close();

  /** No documents. */
  static Rows none() {
    return of(List.of());
  }

  /** These documents. */
  static Rows of(List<Document> documents) {
    return new Listed(documents);
  }

  /** Documents that are there already. */
  final class Listed implements Rows {
    private final Iterator<Document> documents;
    private Document current = Document.EMPTY;
    private long bytes;

    private Listed(List<Document> documents) {
      this.documents = documents.iterator();
      this.bytes = documents.stream().mapToLong(Document::length).sum();
    }

    /** How many bytes the documents have that are still to come. */
    public long bytes() {
      return bytes;
    }

    @Override
    public boolean next() {
      if (!documents.hasNext()) {
        return false;
      }
      current = documents.next();
      bytes -= current.length();
      return true;
    }

    @Override
    public Document current() {
      return current;
    }

    @Override
    public void close() {}
  }
}
