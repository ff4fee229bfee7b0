package dev.mayfly.engine.shard;

import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Queue of the expired documents of one shard that are not delivered yet. The batch that removes an
 * expired document, or replaces it, puts its image here, so no image is lost. Images are in the
 * order of their positions in the change feed: the images of one document are in the order in which
 * it lived.
 *
 * <p>Any thread may add images, through its write group. One thread at a time reads and removes
 * them.
 */
public final class ArchiveQueue {
  private final ShardOwner owner;
  private final Shard shard;
  private final AtomicLong documents = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

  /** Position through which images were stored when the engine was opened. */
  private volatile long storedThrough;

  /** Whether these images are counted. */
  private volatile boolean counted;

  private volatile Progress progress;

  /**
   * Image of an expired document.
   *
   * @param position its position in the change feed: higher for later expiries of the shard
   * @param evicted whether a limit has removed it before its deadline
   * @param deadline in epoch milliseconds; for an evicted document, the time of the eviction
   */
  public record Image(long position, boolean evicted, long deadline, Document document) {}

  /**
   * What was removed from the queue so far.
   *
   * @param position of the last image
   * @param delivered number of documents
   * @param discarded number of documents
   */
  public record Progress(long position, long delivered, long discarded) {
    static final Progress NONE = new Progress(0, 0, 0);

    static Progress decode(byte[] stored) {
      ByteCursor cursor = new ByteCursor(stored, 0);
      return new Progress(cursor.varint(), cursor.varint(), cursor.varint());
    }

    byte[] encode() {
      return new ByteBuilder().varint(position).varint(delivered).varint(discarded).bytes();
    }
  }

  ArchiveQueue(ShardOwner owner) {
    this.owner = owner;
    this.shard = owner.shard();
    this.progress = storedProgress();
    this.storedThrough = owner.lastPosition();
  }

  private Progress storedProgress() {
    byte[] stored = shard.read(Space.META, Layout.archived());
    return stored == null ? Progress.NONE : Progress.decode(stored);
  }

  /** Adds an image to the batch of a group. Returns the bytes that it takes. */
  static int put(Batch to, long position, Cause cause, long deadline, Document document) {
    byte[] image =
        new ByteBuilder()
            .put(cause == Cause.CAP ? 1 : 0)
            .signed(deadline)
            .put(document.buffer(), document.offset(), document.length())
            .bytes();
    to.put(Space.QUEUES, Layout.archive(position), image);
    return image.length;
  }

  private static Image decode(byte[] key, byte[] value) {
    ByteCursor cursor = new ByteCursor(value, 0);
    boolean evicted = cursor.read() == 1;
    long deadline = cursor.signed();
    return new Image(Layout.position(key), evicted, deadline, cursor.document());
  }

  /** Records that a group was committed. */
  void committed(Usage added) {
    if (added.documents() > 0) {
      documents.addAndGet(added.documents());
      bytes.addAndGet(added.bytes());
    }
  }

  /** Counts again what is stored, after a commit with an unknown outcome. In the shard's lock. */
  void recount() {
    documents.set(0);
    bytes.set(0);
    storedThrough = owner.lastPosition();
    counted = false;
  }

  /**
   * Counts what was stored before the engine was opened, or before a commit with an unknown
   * outcome. Cheap if that was done.
   */
  public void count() {
    if (counted) {
      return;
    }
    long through = storedThrough;
    progress = storedProgress();
    long found = 0;
    long size = 0;
    try (Scan images = scan(through)) {
      while (images.next()) {
        found++;
        size += images.value().length;
      }
    }
    owner.lock().lock();
    try {
      if (through == storedThrough && !counted) {
        committed(new Usage(found, size));
        counted = true;
      }
    } finally {
      owner.lock().unlock();
    }
  }

  private Scan scan(long through) {
    Range waiting = Range.of(Layout.archive(progress.position() + 1), Layout.archive(through + 1));
    return shard.scan(Space.QUEUES, waiting, Direction.UP);
  }

  /** The documents that wait, and the bytes of their images. */
  public Usage waiting() {
    return new Usage(documents.get(), bytes.get());
  }

  public Progress progress() {
    return progress;
  }

  /** When the document of the first image expired; {@link Deadline#NEVER} if none waits. */
  public long firstDeadline() {
    if (documents.get() == 0) {
      return Deadline.NEVER;
    }
    try (Scan images = scan(owner.lastPosition())) {
      return images.next() ? decode(images.key(), images.value()).deadline() : Deadline.NEVER;
    }
  }

  /**
   * Returns the next images.
   *
   * @param mostBytes about how many bytes; at least one image is returned if there is one
   */
  public List<Image> next(int mostDocuments, long mostBytes) {
    List<Image> next = new ArrayList<>();
    long size = 0;
    // commits may finish in another order than their positions
    try (Scan images = scan(owner.lastPosition())) {
      while (next.size() < mostDocuments && size < mostBytes && images.next()) {
        byte[] value = images.value();
        next.add(decode(images.key(), value));
        size += value.length;
      }
    }
    return next;
  }

  /** Removes images that were delivered: the first ones of the queue. */
  public void delivered(List<Image> images) {
    remove(images, true);
  }

  /** Removes images that are not delivered: the first ones of the queue. */
  public void discard(List<Image> images) {
    remove(images, false);
  }

  private void remove(List<Image> images, boolean delivered) {
    long last = images.getLast().position();
    owner.lock().lock();
    try {
      owner.checkOpen();
      Progress before = progress;
      Progress after =
          new Progress(
              last,
              before.delivered() + (delivered ? images.size() : 0),
              before.discarded() + (delivered ? 0 : images.size()));
      Batch batch = new Batch();
      // adjacent ranges, as in the feed
      batch.deleteRange(
          Space.QUEUES, Layout.archive(before.position() + 1), Layout.archive(last + 1));
      batch.put(Space.META, Layout.archived(), after.encode());
      commit(batch);
      progress = after;
      documents.addAndGet(-images.size());
      bytes.addAndGet(-images.stream().mapToLong(ArchiveQueue::size).sum());
    } finally {
      owner.lock().unlock();
    }
  }

  private void commit(Batch removal) {
    boolean done = false;
    try {
      shard.commit(removal);
      done = true;
    } finally {
      if (!done) {
        // it may have been made: what is stored decides
        recount();
      }
    }
  }

  private static long size(Image image) {
    return 1L + new ByteBuilder().signed(image.deadline()).size() + image.document().length();
  }
}
