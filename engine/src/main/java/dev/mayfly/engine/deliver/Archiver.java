package dev.mayfly.engine.deliver;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.Alarms;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.archive.OnExpire.Target;
import dev.mayfly.engine.shard.ArchiveQueue;
import dev.mayfly.engine.shard.ArchiveQueue.Image;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.Deadline;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Archiver of one collection: delivers the images in the archive queues of its shards. Used by one
 * thread at a time, except {@link #status} and {@link #close}.
 */
public final class Archiver {
  private static final int BATCH_DOCUMENTS = 1000;
  private static final long BATCH_BYTES = 1 << 20;

  private final Collection collection;
  private final List<ShardOwner> owners;
  private final Surroundings surroundings;

  /** The target in use; null before the first delivery and after a failure. */
  private volatile @Nullable Delivery delivery;

  private volatile boolean closed;

  private OnExpire deliveredBy = OnExpire.NOTHING;
  private String deliveredAs = "";
  private volatile @Nullable String overLimit;
  private final AtomicLong failures = new AtomicLong();
  private final AtomicInteger failing = new AtomicInteger();
  private volatile String lastFailure = "";

  /**
   * What an archiver needs of the engine.
   *
   * @param collections finds collections by name
   */
  public record Surroundings(
      ArchiveSettings settings,
      Alarms alarms,
      Function<Namespace, Optional<Collection>> collections) {}

  /**
   * @param owners of the shards of the collection
   */
  public Archiver(Collection collection, List<ShardOwner> owners, Surroundings surroundings) {
    this.collection = collection;
    this.owners = List.copyOf(owners);
    this.surroundings = surroundings;
  }

  /**
   * Delivers one batch of each shard.
   *
   * @return whether more remains
   * @throws DeliveryException if a batch cannot be delivered: it stays in the queue
   */
  public boolean slice(long now) {
    if (closed) {
      return false;
    }
    OnExpire action = collection.spec().onExpire();
    owners.forEach(owner -> owner.archiveQueue().count());
    if (!action.delivers()) {
      closeDelivery();
      return discardAll();
    }
    try {
      boolean more = deliver(action, now);
      failing.set(0);
      lastFailure = "";
      return more;
    } catch (RuntimeException failure) {
      failures.incrementAndGet();
      failing.incrementAndGet();
      lastFailure = String.valueOf(failure.getMessage());
      closeDelivery();
      throw failure;
    } finally {
      keepLimit(now);
    }
  }

  private boolean deliver(OnExpire action, long now) {
    boolean more = false;
    for (ShardOwner owner : owners) {
      ArchiveQueue queue = owner.archiveQueue();
      List<Image> images =
          queue.waiting().documents() == 0 ? List.of() : queue.next(BATCH_DOCUMENTS, BATCH_BYTES);
      if (!images.isEmpty()) {
        delivery(action).deliver(owner.shard().number(), images, now);
        queue.delivered(images);
        more = true;
      }
    }
    if (!more && action.target() instanceof Target.Files) {
      delivery(action).idle(now);
    }
    return more;
  }

  private Delivery delivery(OnExpire action) {
    String name = collection.namespace().toString();
    if (!deliveredBy.equals(action) || !deliveredAs.equals(name)) {
      closeDelivery();
    }
    Delivery current = delivery;
    if (current == null) {
      current = open(action);
      delivery = current;
      deliveredBy = action;
      deliveredAs = name;
    }
    return current;
  }

  private Delivery open(OnExpire action) {
    CollectionSpec spec = collection.spec();
    UUID uuid = collection.uuid();
    Source source =
        new Source(collection.namespace().toString(), uuid, spec.dialect(), spec.partitionKey());
    ArchiveSettings settings = surroundings.settings();
    return switch (action.target()) {
      case Target.Move move -> {
        Namespace to = new Namespace(move.database(), move.collection());
        yield new MoveDelivery(source, to.toString(), () -> surroundings.collections().apply(to));
      }
      case Target.Files files -> {
        Path root =
            settings
                .directory()
                .orElseThrow(
                    () -> new DeliveryException("this server has no directory for archive files"));
        yield new FileDelivery(root.resolve(files.directory()), files, source);
      }
      case Target.Post post -> new HttpDelivery(source, post, settings);
      case Target.Nothing() -> throw new IllegalStateException("nothing to deliver to");
    };
  }

  /** The action was removed: nothing remains to be done with the images. */
  private boolean discardAll() {
    boolean more = false;
    for (ShardOwner owner : owners) {
      ArchiveQueue queue = owner.archiveQueue();
      if (queue.waiting().documents() > 0) {
        List<Image> images = queue.next(BATCH_DOCUMENTS, BATCH_BYTES);
        if (!images.isEmpty()) {
          queue.discard(images);
          more = true;
        }
      }
    }
    return more;
  }

  /** Discards the oldest images beyond the limit, and raises or clears the alarm. */
  private void keepLimit(long now) {
    long limit = surroundings.settings().limitBytes();
    if (limit == 0) {
      return;
    }
    long before = waitingBytes();
    if (before > limit / 2) {
      for (ShardOwner owner : owners) {
        discardBeyond(owner.archiveQueue(), limit);
      }
      raise(now, limit);
    } else {
      String raised = overLimit;
      if (raised != null) {
        surroundings.alarms().clear(Alarm.Kind.ARCHIVE, raised);
        overLimit = null;
      }
    }
  }

  private void discardBeyond(ArchiveQueue queue, long limit) {
    long over = waitingBytes() - limit;
    while (over > 0) {
      List<Image> oldest = queue.next(BATCH_DOCUMENTS, Math.min(over, BATCH_BYTES));
      if (oldest.isEmpty()) {
        return;
      }
      queue.discard(oldest);
      over = waitingBytes() - limit;
    }
  }

  private void raise(long now, long limit) {
    String raised = overLimit;
    String subject = raised == null ? collection.namespace() + " limit" : raised;
    overLimit = subject;
    surroundings
        .alarms()
        .raise(
            Alarm.Kind.ARCHIVE,
            subject,
            Alarm.Severity.WARNING,
            now,
            "%d bytes of expired documents of %s are not delivered; beyond %d the oldest are"
                    .formatted(waitingBytes(), collection.namespace(), limit)
                + " discarded");
  }

  private long waitingBytes() {
    return owners.stream().mapToLong(owner -> owner.archiveQueue().waiting().bytes()).sum();
  }

  private void closeDelivery() {
    Delivery current = delivery;
    if (current != null) {
      current.close();
      delivery = null;
    }
  }

  /** Ends it, and a delivery in progress. Any thread may call this. */
  public void close() {
    closed = true;
    Delivery current = delivery;
    if (current != null) {
      current.close();
    }
    String raised = overLimit;
    if (raised != null) {
      surroundings.alarms().clear(Alarm.Kind.ARCHIVE, raised);
    }
  }

  /** Returns the state at an instant. Safe for many threads. */
  public ArchiveStatus status(long now) {
    ArchiveStatus status =
        new ArchiveStatus(0, 0, 0, 0, failures.get(), failing.get(), lastFailure, 0);
    for (ShardOwner owner : owners) {
      ArchiveQueue queue = owner.archiveQueue();
      long first = queue.firstDeadline();
      status =
          status.plus(
              new ArchiveStatus(
                  queue.waiting().documents(),
                  queue.waiting().bytes(),
                  first == Deadline.NEVER ? 0 : Math.max(0, now - first),
                  queue.progress().delivered(),
                  0,
                  0,
                  "",
                  queue.progress().discarded()));
    }
    return status;
  }
}
