package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;
import java.util.Iterator;
import java.util.List;

/**
 * Iterator over documents, computed on demand.
 *
 * <p>Before the first {@link #next()} there is no current document. Belongs to one thread at a
 * time. Must be closed, also after the last row; closing twice is allowed.
 */
public interface Rows extends AutoCloseable {
  /** Advances to the next document; returns false after the last one. */
  boolean next();

  /** Returns the current document, which stays valid after the next step. */
  Document current();

  @Override
  void close();

  /** Returns no documents. */
  static Rows none() {
    return of(List.of());
  }

  /** Returns these documents. */
  static Rows of(List<Document> documents) {
    return new Listed(documents);
  }

  /** Documents of a list. */
  final class Listed implements Rows {
    private final Iterator<Document> documents;
    private Document current = Document.EMPTY;
    private long bytes;

    private Listed(List<Document> documents) {
      this.documents = documents.iterator();
      this.bytes = documents.stream().mapToLong(Document::length).sum();
    }

    /** Returns the bytes of the documents that are still to come. */
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
