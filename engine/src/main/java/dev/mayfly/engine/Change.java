package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * Change of one document in the feed.
 *
 * @param position its position in the shard's order of commits; the new version of the document
 * @param time epoch milliseconds of the commit
 * @param deadline of an expiry: when the document expired; else never
 * @param transaction its transaction, or {@link TransactionId#NONE}; changes of one transaction are
 *     adjacent
 * @param before the document before, {@link Document#EMPTY} if not kept
 * @param after the document after, {@link Document#EMPTY} if not kept or deleted
 * @param differences whether both hold only the root fields that the update has changed, added or
 *     removed
 * @param note the {@linkplain UpdateFunction#note() note} of the update, else {@link
 *     Document#EMPTY}
 */
public record Change(
    long position,
    long time,
    Kind kind,
    Cause cause,
    DocumentKey key,
    long deadline,
    TransactionId transaction,
    Document before,
    Document after,
    boolean differences,
    Document note) {

  /** Kind of change. */
  public enum Kind {
    INSERT,
    UPDATE,
    /** An update by a write of the whole document. */
    REPLACE,
    DELETE,
    EXPIRE
  }

  /** Cause of the change. */
  public enum Cause {
    /** A write of a user. */
    WRITE,
    /** The limit of a capped or bounded collection: an eviction. */
    CAP,
    /** The deadline. */
    DEADLINE,
    /** The delete of the parent that the document has followed. */
    PARENT
  }
}
