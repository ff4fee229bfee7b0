package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.read.Plan;
import dev.mayfly.engine.read.ShardScan;
import dev.mayfly.engine.shard.Liveness;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.TransactionLocks;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Header;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.ShardBatch;
import dev.mayfly.store.Snapshot;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction does in one shard.
 *
 * <p>Its writes are decided by a group of their own on the snapshot, which is never committed: that
 * is what the transaction sees. What they came to is kept, and replayed on the shard as it is when
 * the transaction commits.
 */
final class TransactionPart {
  /** What is not there, or not live. */
  private static final long ABSENT = -1;

  private final LocalTransaction transaction;
  private final ShardOwner owner;
  private final ShardOwner.View view;
  private final Snapshot snapshot;
  private final Liveness liveness;
  private final long now;
  private final WriteGroup shadow;
  private final Set<ByteKey> held = new HashSet<>();
  private final List<Decided> writes = new ArrayList<>();
  private @Nullable WriteGroup replayed;

  /**
   * A write as it is to be replayed: what was decided is not decided again.
   *
   * @param after what becomes of the document; empty when it is deleted
   */
  private record Decided(ByteKey key, Write write, Document after) {}

  TransactionPart(
      LocalTransaction transaction,
      ShardOwner owner,
      ShardOwner.View view,
      Snapshot snapshot,
      long sequence,
      long now) {
    this.transaction = transaction;
    this.owner = owner;
    this.view = view;
    this.snapshot = snapshot;
    this.liveness = view.liveness(now);
    this.now = now;
    this.shadow = ShardOwner.shadow(view, snapshot, new Taking(), sequence, now);
  }

  ShardOwner owner() {
    return owner;
  }

  /** Whether there is anything to commit. */
  boolean wrote() {
    return !writes.isEmpty();
  }

  /** How much its writes take. */
  long bytes() {
    return shadow.batch().bytes();
  }

  double units() {
    return shadow.charge().units();
  }

  Optional<StoredDocument> read(PrimaryKey key) {
    byte[] record = shadow.current(key.bytes());
    return record != null && liveness.isLive(record, key.bytes())
        ? Optional.of(ShardOwner.stored(view.schedule(), record))
        : Optional.empty();
  }

  /** Where a plan finds documents: on the snapshot, and among what was written since. */
  List<ShardScan> sources(Plan plan) {
    if (plan instanceof Plan.Point) {
      return List.of(ShardScan.beneath(owner, view, plan, now, new OnTop(), Set.of()));
    }
    Map<ByteKey, byte[]> written = Map.copyOf(shadow.written());
    ShardScan beneath = ShardScan.beneath(owner, view, plan, now, snapshot, written.keySet());
    return written.isEmpty()
        ? List.of(beneath)
        : List.of(beneath, ShardScan.written(view, written, now, snapshot));
  }

  /** Reads of single records as the transaction has left them. */
  private final class OnTop implements Reader {
    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      return shadow.current(key);
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      return snapshot.scan(space, range, direction);
    }
  }

  /**
   * Takes hold of a document and decides a write to it.
   *
   * @param instant now, as the clock says
   */
  WriteOutcome write(Write write, PrimaryKey key, long instant) {
    owner.lock().lock();
    try {
      checkSame();
      if (owner.locks().holdDocument(key.bytes(), transaction)) {
        held.add(new ByteKey(key.bytes()));
        checkUnchanged(key.bytes(), instant);
      }
      WriteOutcome outcome = shadow.apply(write);
      resolve(new ByteKey(key.bytes()), write, outcome).ifPresent(writes::add);
      return outcome;
    } finally {
      owner.lock().unlock();
    }
  }

  private static Optional<Decided> resolve(ByteKey at, Write write, WriteOutcome outcome) {
    return switch (outcome) {
      case WriteOutcome.Inserted(StoredDocument after) ->
          Optional.of(new Decided(at, new Write.Insert(after.document()), after.document()));
      case WriteOutcome.Updated(_, StoredDocument after) -> {
        Write replayed =
            write instanceof Write.Update update
                ? update.decided(after.document())
                : new Write.Replace(after.document());
        yield Optional.of(new Decided(at, replayed, after.document()));
      }
      case WriteOutcome.Deleted _ when write instanceof Write.Delete(DocumentKey key, _) ->
          Optional.of(new Decided(at, new Write.Delete(key), Document.EMPTY));
      case WriteOutcome.Deleted _,
          WriteOutcome.Unchanged _,
          WriteOutcome.Repeated _,
          WriteOutcome.Failed _,
          WriteOutcome.Skipped _ ->
          Optional.empty();
    };
  }

  private void checkSame() {
    owner.checkOpen();
    if (owner.compiled() != view.compiled()) {
      throw LocalTransaction.conflict("the collection has changed since the transaction began");
    }
  }

  /** Refuses to write over what has been written, or has expired, since the beginning. */
  private void checkUnchanged(byte[] key, long instant) {
    long then = version(snapshot.read(Space.RECORDS, key), key, liveness);
    long today = version(owner.record(key), key, owner.liveness(instant));
    if (then != today) {
      throw LocalTransaction.conflict("the document has changed since the transaction began");
    }
  }

  /** The version of a record if it is live, else {@link #ABSENT}. */
  private static long version(byte @Nullable [] record, byte[] key, Liveness liveness) {
    return record != null && liveness.isLive(record, key) ? Header.sequence(record, 0) : ABSENT;
  }

  /** Takes the unique keys of documents as they are written; documents are taken before. */
  private final class Taking implements TransactionLocks.Guard {
    @Override
    public void checkDocument(byte[] primaryKey) {}

    @Override
    public void checkUniqueKey(byte[] entryKey) {
      if (owner.locks().holdUniqueKey(entryKey, transaction)) {
        byte[] then = snapshot.read(Space.ENTRIES, entryKey);
        byte[] today = owner.shard().read(Space.ENTRIES, entryKey);
        if (!Arrays.equals(then, today)) {
          throw LocalTransaction.conflict("a unique key has changed since the transaction began");
        }
      }
    }
  }

  /** Decides all writes on the shard as it is. The caller holds the lock. */
  ShardBatch replay(TransactionId id, long instant) {
    checkSame();
    Set<ByteKey> expired = new HashSet<>();
    for (ByteKey key : held) {
      if (expiredSince(key.array(), instant)) {
        expired.add(key);
      } else {
        checkUnchanged(key.array(), instant);
      }
    }
    WriteGroup group = owner.group(transaction, id, instant);
    try {
      for (Decided write : writes) {
        replay(write, expired, group);
      }
    } catch (EngineException refused) {
      throw LocalTransaction.conflict(refused.reason() + " since the transaction began");
    }
    owner.complete(group);
    replayed = group;
    return new ShardBatch(owner.shard(), group.batch());
  }

  /**
   * Whether a document that was live at the beginning, and that nobody else could write to since,
   * has reached its deadline under the hand of the transaction.
   */
  private boolean expiredSince(byte[] key, long instant) {
    byte[] record = snapshot.read(Space.RECORDS, key);
    return record != null
        && liveness.isLive(record, key)
        && !owner.liveness(instant).isLive(record, key);
  }

  /**
   * What was written to a document that has expired since makes it anew: nobody else saw it after
   * its deadline, and from the commit on it is there with what was written. What was deleted is
   * gone already.
   *
   * @param expired the documents that are absent so far
   */
  private static void replay(Decided write, Set<ByteKey> expired, WriteGroup group) {
    if (!expired.contains(write.key())) {
      group.apply(write.write());
    } else if (!write.after().isEmpty()) {
      expired.remove(write.key());
      group.apply(new Write.Insert(write.after()));
    }
  }

  /** Notes that what was replayed is committed. The caller holds the lock. */
  void committed() {
    WriteGroup group = replayed;
    if (group != null) {
      owner.committed(group);
    }
  }

  /** Lets go of what it holds. */
  void release() {
    owner.lock().lockAsItIs();
    try {
      owner.locks().release(transaction);
    } finally {
      owner.lock().unlock();
    }
  }
}
