package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.function.Function;

/**
 * One write to one document.
 *
 * <pre>{@code
 * things.write(new Write.Insert(document));                  // fails if the id exists
 * things.write(new Write.Upsert(document));                  // inserts or replaces it
 * things.write(new Write.Delete(key, found.version()));      // fails if it has changed since
 * things.write(new Write.Delete(key));                       // any version
 * }</pre>
 */
public sealed interface Write {
  /** Matches any version. */
  long ANY_VERSION = -1;

  /** Inserts a document. Fails with DUPLICATE_ID if a live document has the id. */
  record Insert(Document document) implements Write {}

  /**
   * Inserts, or replaces the live document of that id.
   *
   * @param version the version that a live document must have; ignored if there is none
   */
  record Upsert(Document document, long version) implements Write {
    public Upsert(Document document) {
      this(document, ANY_VERSION);
    }
  }

  /** Replaces the live document with the id of {@code document}. */
  record Replace(Document document, long version) implements Write {
    public Replace(Document document) {
      this(document, ANY_VERSION);
    }
  }

  /**
   * Replaces a live document by the result of a function. If that returns the same bytes, nothing
   * is written. The function runs under the shard's lock: it must be short and must not call the
   * engine. It may reject the document with {@link EngineException#rejected}.
   *
   * @param whole whether the feed reports a replacement of the whole document
   */
  record Update(DocumentKey key, UpdateFunction change, long version, boolean whole)
      implements Write {
    public Update(DocumentKey key, UpdateFunction change) {
      this(key, change, ANY_VERSION, false);
    }

    public Update(DocumentKey key, UpdateFunction change, long version) {
      this(key, change, version, false);
    }

    /** Returns the same update with a known result. */
    public Update decided(Document after) {
      return new Update(key, new UpdateFunction.Decided(after, change.note()), ANY_VERSION, whole);
    }
  }

  /**
   * As an update, but always a write: if the function returns the same bytes, the document still
   * gets a new version, and its time to live starts again. The function gets the metadata, too.
   */
  record Touch(DocumentKey key, Function<StoredDocument, Document> change, long version)
      implements Write {}

  /**
   * Inserts a document under a new id: it keeps the birth of a document that an earlier write of
   * the same group has deleted. Not supported in transactions or capped collections.
   */
  record InsertRenamed(DocumentKey of, Document document) implements Write {}

  /** Deletes a live document. */
  record Delete(DocumentKey key, long version) implements Write {
    public Delete(DocumentKey key) {
      this(key, ANY_VERSION);
    }
  }
}
