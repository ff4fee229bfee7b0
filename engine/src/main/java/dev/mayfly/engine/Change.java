package dev.mayfly.engine;

import dev.mayfly.value.Document;

/**
 * One change of one document, as the feed tells it.
 *
 * @param position its place in the shard's order of commits; the version the document got
 * @param time epoch milliseconds of the commit
 * @param deadline for an expiry, when the document ceased to be visible; else never
 * @param transaction the transaction that made it, {@link TransactionId#NONE} for none; changes of
 *     one transaction follow one another
 * @param before the document before, {@link Document#EMPTY} when not kept
 * @param after the document after, {@link Document#EMPTY} when not kept or gone
 * @param differences whether both hold only the root fields that the update has changed, added or
 *     removed
 * @param note what the {@linkplain UpdateFunction#note() update} said of itself, else {@link
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

  /** What happened to the document. */
  public enum Kind {
    INSERT,
    UPDATE,
    /** As an update, by a write that gave the whole document anew. */
    REPLACE,
    DELETE,
    EXPIRE
  }

  /** Who wanted it. */
  public enum Cause {
    /** A write of a user. */
    WRITE,
    /** A capped collection that was full. */
    CAP,
    /** The deadline. */
    DEADLINE
  }
}
