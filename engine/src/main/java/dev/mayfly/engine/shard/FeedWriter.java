package dev.mayfly.engine.shard;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.catalog.Sequence;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.FeedFormat;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;

/**
 * Feed writer of a write group: adds one entry per change to its batch, and one entry per group of
 * expiries. Used like its group, under the shard's lock.
 */
public final class FeedWriter {
  private final ChangeImageMode images;
  private final TransactionId transaction;
  private final Sequence sequence;
  private final Batch batch;
  private final DocumentCounts.Delta delta;
  private final long now;
  private final ByteBuilder change;
  private final long firstOffset;
  private long offset;
  private int entries;
  private long firstPosition = -1;
  private long lastPosition = -1;

  /**
   * @param change a buffer for one entry
   * @param delta the counts that the group has changed so far
   * @param offset the total size of all feed entries so far, in bytes
   * @param now the time of all changes, in epoch milliseconds
   */
  FeedWriter(
      ChangeImageMode images,
      TransactionId transaction,
      Sequence sequence,
      Batch batch,
      ByteBuilder change,
      DocumentCounts.Delta delta,
      long offset,
      long now) {
    this.images = images;
    this.transaction = transaction;
    this.sequence = sequence;
    this.batch = batch;
    this.change = change;
    this.delta = delta;
    this.firstOffset = offset;
    this.offset = offset;
    this.now = now;
  }

  /** The size of the feed entries of this group. */
  long bytes() {
    return offset - firstOffset;
  }

  /** The number of feed entries of this group. */
  int entries() {
    return entries;
  }

  /** The time of all changes. */
  long time() {
    return now;
  }

  /** The position of the first change, or -1 if there is none. */
  long firstPosition() {
    return firstPosition;
  }

  /** The position of the last change, or -1 if there is none. */
  public long lastPosition() {
    return lastPosition;
  }

  /**
   * Adds the change of one document.
   *
   * @param note additional information for readers
   */
  void write(
      Kind kind,
      Cause cause,
      long position,
      PrimaryKey key,
      Document before,
      Document after,
      Document note) {
    begin(kind, cause);
    if (cause == Cause.WRITE && !transaction.equals(TransactionId.NONE)) {
      FeedFormat.mark(change, transaction);
    }
    if (images == ChangeImageMode.DIFFERENCES && kind == Kind.UPDATE) {
      FeedFormat.writeDifferences(change, key, before, after, note);
    } else {
      FeedFormat.write(
          change,
          key,
          images.before() ? before : Document.EMPTY,
          images.after() ? after : Document.EMPTY,
          note);
    }
    end(position);
  }

  /** Adds the expiry of one document. */
  void expiry(PrimaryKey key, long deadline, Document before) {
    FeedFormat.Expiries one = new FeedFormat.Expiries();
    one.add(key.bytes(), key.spelled(), deadline, images.before() ? before : Document.EMPTY);
    expiries(one);
  }

  /** Adds the expiries of many documents as one entry. */
  public void expiries(FeedFormat.Expiries expired) {
    if (expired.count() == 0) {
      return;
    }
    begin(Kind.EXPIRE, Cause.DEADLINE);
    expired.writeTo(change);
    long first = sequence.next(expired.count());
    end(first);
    lastPosition = first + expired.count() - 1;
  }

  private void begin(Kind kind, Cause cause) {
    FeedFormat.begin(change, kind, cause, now, delta.takeUnrecorded(), offset);
    entries++;
  }

  private void end(long position) {
    assert position > lastPosition;
    offset += change.size();
    byte[] key = Layout.feed(position);
    batch.put(Space.QUEUES, key, 0, key.length, change.buffer(), 0, change.size());
    firstPosition = firstPosition < 0 ? position : firstPosition;
    lastPosition = position;
  }
}
