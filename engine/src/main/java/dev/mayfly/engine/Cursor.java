package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * The documents of a query, one after the other, as they were at one instant.
 *
 * <p>What was live at that instant is left alone by the sweep until the cursor is closed. Belongs
 * to one thread at a time; must be closed.
 */
public interface Cursor extends AutoCloseable {
  /** What became of {@link #advance}. */
  enum Progress {
    /** The cursor is at the next document. */
    FOUND,
    /** It has looked at as much as it may and found none yet. */
    RESTING,
    /** There is none. */
    ENDED
  }

  /**
   * Goes to the next document; false when there is none.
   *
   * @throws EngineException SORT_TOO_LARGE when a sort needs more than it may use
   */
  boolean next();

  /**
   * Goes to the next document, but looks at no more than so many entries and records of each shard
   * for it. Asked again, it goes on.
   *
   * @throws EngineException SORT_TOO_LARGE when a sort needs more than it may use
   */
  Progress advance(long looks);

  /**
   * Where the cursor is, in a form that can be kept: {@link Collection#resume} goes on behind it,
   * in another process if need be. Where it has to sort, and where a document can be come upon
   * several times, that is the number of documents so far, and going on finds those again.
   */
  byte[] place();

  /** The document the cursor is at. */
  StoredDocument current();

  /** The bytes of the document the cursor is at. */
  Document document();

  /** When the document the cursor is at expires, or {@link dev.mayfly.expiry.Deadline#NEVER}. */
  long deadline();

  /** What the query has cost so far, in request units. */
  double charge();

  /** How many documents have been looked at. */
  long documentsExamined();

  /** How the documents are found, and what that has taken so far. */
  Explanation explain();

  /**
   * When the document the cursor is at came into the collection, as a number that grows from one
   * arrival to the next; see {@link Collection#arrivals}.
   */
  long arrival();

  /**
   * The values of the key by which the document the cursor is at was found, by their paths; empty
   * when no index led to it.
   */
  Document indexKey();

  /** How the documents are found, in a line for people. */
  String plan();

  /** Whether the order must be made: sources that are in order are merged. */
  boolean sorts();

  @Override
  void close();
}
