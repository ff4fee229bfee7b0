package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.List;

/**
 * Cursor over the documents of a query, as of one instant. The sweep removes no document that was
 * live at that instant until the cursor is closed. Used by one thread at a time. Must be closed.
 *
 * <pre>{@code
 * byte[] place;
 * try (Cursor cursor = collection.query(query)) {
 *   for (int i = 0; i < 100 && cursor.next(); i++) {
 *     send(cursor.document());
 *   }
 *   place = cursor.place();  // continuation token
 * }
 * Cursor rest = collection.resume(query, place);  // continues after the last document
 * }</pre>
 */
public interface Cursor extends AutoCloseable {
  /**
   * Cursor of a query with an order, for a caller that sorts by itself if the engine would have to.
   *
   * @param inOrder whether the cursor has the order, skip and limit of the query; if not, it
   *     returns the documents of {@link dev.mayfly.query.Query#unordered}
   */
  record Planned(Cursor cursor, boolean inOrder) {}

  /** Result of {@link #advance}. */
  enum Progress {
    /** The cursor is at the next document. */
    FOUND,
    /** The cursor has reached its limit and found no document yet. */
    RESTING,
    /** There are no more documents. */
    ENDED
  }

  /**
   * Goes to the next document. Returns false after the last.
   *
   * @throws EngineException SORT_TOO_LARGE if a sort needs more memory than it may use
   */
  boolean next();

  /**
   * Goes to the next document, within a limit. After {@link Progress#RESTING} the next call goes
   * on.
   *
   * @param looks how many index entries and records of each shard to read at most
   * @throws EngineException SORT_TOO_LARGE if a sort needs more memory than it may use
   */
  Progress advance(long looks);

  /**
   * Returns the position of the cursor as a continuation token: {@link Collection#resume} continues
   * after it, also in another process. If the cursor sorts, or may meet a document several times,
   * the token is the number of documents so far, and resuming reads those again.
   */
  byte[] place();

  /** Returns the current document. */
  StoredDocument current();

  /** Returns the bytes of the current document. */
  Document document();

  /** Returns when the current document expires, or {@link dev.mayfly.expiry.Deadline#NEVER}. */
  long deadline();

  /**
   * Counts the current document as read, for sliding expiry: for a query {@linkplain
   * dev.mayfly.query.Query#withoutTouch without touches} whose caller returns only some documents.
   * Does nothing if such reads do not extend lives.
   */
  void touch();

  /** Returns the cost of the query so far, in request units. */
  double charge();

  /** Returns the number of documents examined so far. */
  long documentsExamined();

  /** Returns the plan of the query, and what it has examined so far; also when it is closed. */
  Explanation explain();

  /** Returns the names of the indexes that the plan reads, each once; empty for a scan. */
  List<String> indexes();

  /**
   * Returns the arrival number of the current document, which grows from document to document; see
   * {@link Collection#arrivals}.
   */
  long arrival();

  /**
   * Returns the values of the index key that the current document was found by, by path; empty
   * without an index.
   */
  Document indexKey();

  /** Returns the plan as one line of text. */
  String plan();

  /** Returns whether the cursor sorts; shards that are in order are only merged. */
  boolean sorts();

  @Override
  void close();
}
