package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.function.Function;

/** One write to one document. */
public sealed interface Write {
  /** Guards nothing: any version will do. */
  long ANY_VERSION = -1;

  /** Fails with DUPLICATE_ID when a live document has that id. */
  record Insert(Document document) implements Write {}

  /**
   * Inserts, or replaces the live document of that id.
   *
   * @param version the version a live document must have; an absent document is inserted whatever
   *     it says
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
   * Replaces a live document by what the function makes of it. Returning the same bytes changes
   * nothing and writes nothing. The function runs under the shard's lock: it must be short and must
   * not call the engine. It may refuse the document with {@link EngineException#rejected}.
   *
   * @param whole whether the feed tells it as a replacement of the whole document
   */
  record Update(DocumentKey key, UpdateFunction change, long version, boolean whole)
      implements Write {
    public Update(DocumentKey key, UpdateFunction change) {
      this(key, change, ANY_VERSION, false);
    }

    public Update(DocumentKey key, UpdateFunction change, long version) {
      this(key, change, version, false);
    }

    /** The same update, of which is known what becomes of the document. */
    public Update decided(Document after) {
      return new Update(key, new UpdateFunction.Decided(after, change.note()), ANY_VERSION, whole);
    }
  }

  /**
   * As an update, but always a write: where the function gives back the same bytes, the document is
   * written again, gets a new version and lives anew. The function sees how it is stored.
   */
  record Touch(DocumentKey key, Function<StoredDocument, Document> change, long version)
      implements Write {}

  /**
   * Inserts a document in which the life of another goes on: one that an earlier write of the same
   * group has deleted, and whose birth it keeps. Not in a transaction, not in a capped collection.
   */
  record InsertRenamed(DocumentKey of, Document document) implements Write {}

  /** Deletes a live document. */
  record Delete(DocumentKey key, long version) implements Write {
    public Delete(DocumentKey key) {
      this(key, ANY_VERSION);
    }
  }
}
