package dev.mayfly.engine.local;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.liveness.Liveness;
import dev.mayfly.engine.liveness.ParentLookup;
import dev.mayfly.engine.liveness.ParentView;
import dev.mayfly.engine.read.Plan;
import dev.mayfly.engine.read.ShardScan;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.OpenReads;
import dev.mayfly.engine.shard.Parents;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.shard.TransactionLocks;
import dev.mayfly.engine.shard.WriteGroup;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
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
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Part of a transaction in one shard: its reads and writes.
 *
 * <p>A private write group (the shadow) decides the writes on the snapshot and is never committed;
 * the transaction reads from it. The decided writes are kept, and are replayed on the current state
 * of the shard when the transaction commits. Used like its transaction, by one thread at a time.
 */
final class TransactionPart {
  /** Version of a document that does not exist or is expired. */
  private static final long ABSENT = -1;

  private final LocalTransaction transaction;
  private final ShardOwner owner;
  private final ShardOwner.View view;
  private final Snapshot snapshot;
  private final Liveness liveness;
  private final OpenReads.Reading reading;
  private final WriteGroup shadow;
  private final Set<ByteKey> held = new HashSet<>();
  private final List<Decided> writes = new ArrayList<>();
  private @Nullable WriteGroup replayed;

  /**
   * A decided write for the replay: it contains the resulting document, so that update functions do
   * not run again.
   *
   * @param after the document after the write; empty if it is deleted
   */
  private record Decided(ByteKey key, Write write, Document after) {}

  TransactionPart(
      LocalTransaction transaction,
      ShardOwner owner,
      ShardOwner.View view,
      Snapshot snapshot,
      @Nullable ParentLookup parents,
      long sequence,
      OpenReads.Reading reading) {
    this.transaction = transaction;
    this.owner = owner;
    this.view = view;
    this.snapshot = snapshot;
    this.liveness = view.liveness(reading.now(), parents);
    this.reading = reading;
    this.shadow =
        ShardOwner.shadow(
            view, liveness, snapshot, new UniqueKeyLocking(), sequence, reading.now());
  }

  ShardOwner owner() {
    return owner;
  }

  /** Returns whether there are writes to commit. */
  boolean wrote() {
    return !writes.isEmpty();
  }

  /** The size of its writes in bytes. */
  long bytes() {
    return shadow.batch().bytes();
  }

  double units() {
    return shadow.charge().units();
  }

  Optional<StoredDocument> read(PrimaryKey key) {
    byte[] record = shadow.current(key.bytes());
    return record != null && liveness.isLive(record, key.bytes())
        ? Optional.of(RecordFormat.stored(view.schedule(), record))
        : Optional.empty();
  }

  /**
   * Returns the scans of a plan: on the snapshot, and over the documents that the transaction has
   * written.
   */
  List<ShardScan> sources(Plan plan) {
    if (plan instanceof Plan.Point) {
      return List.of(
          ShardScan.onSnapshot(owner, view, liveness, plan, reading, new OnTop(), Set.of()));
    }
    Map<ByteKey, byte[]> written = Map.copyOf(shadow.written());
    ShardScan onSnapshot =
        ShardScan.onSnapshot(owner, view, liveness, plan, reading, snapshot, written.keySet());
    return written.isEmpty()
        ? List.of(onSnapshot)
        : List.of(onSnapshot, ShardScan.written(view, written, liveness, snapshot));
  }

  /** Reader of records with the writes of the transaction applied. */
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
   * Locks a document and decides a write to it.
   *
   * @param instant the current time; the transaction itself reads at the instant of its snapshot
   */
  WriteOutcome write(Write write, PrimaryKey key, long instant) {
    owner.lock().lock();
    try {
      checkSame();
      owner.settleTouches(instant, /* mayBlock= */ true);
      if (owner.locks().lockDocument(key.bytes(), transaction)) {
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

  /** Rejects a write to a document that has changed or expired since the transaction began. */
  private void checkUnchanged(byte[] key, long instant) {
    long then = version(snapshot.read(Space.RECORDS, key), key, liveness);
    long today = version(owner.record(key), key, owner.liveness(instant));
    if (then != today) {
      throw LocalTransaction.conflict("the document has changed since the transaction began");
    }
  }

  /** The version of a record if it is live, else {@link #ABSENT}. */
  private static long version(byte @Nullable [] record, byte[] key, Liveness liveness) {
    return record != null && liveness.isLive(record, key) ? Header.version(record, 0) : ABSENT;
  }

  /** Locks the unique keys of documents as they are written. The documents are locked already. */
  private final class UniqueKeyLocking implements TransactionLocks.Guard {
    @Override
    public void checkDocument(byte[] primaryKey) {}

    @Override
    public void checkUniqueKey(byte[] entryKey) {
      if (owner.locks().lockUniqueKey(entryKey, transaction)) {
        byte[] then = snapshot.read(Space.ENTRIES, entryKey);
        byte[] today = owner.shard().read(Space.ENTRIES, entryKey);
        if (!isSame(then, today)) {
          throw LocalTransaction.conflict("a unique key has changed since the transaction began");
        }
      }
    }
  }

  /** Returns whether an entry of a unique index is the same, touched or not. */
  private static boolean isSame(byte @Nullable [] then, byte @Nullable [] today) {
    return Arrays.equals(then, today)
        || (then != null
            && today != null
            && Header.version(then, 0) == Header.version(today, 0)
            && Arrays.equals(
                IndexEntryValues.uniqueHolder(then), IndexEntryValues.uniqueHolder(today)));
  }

  /** The parents in this shard as the transaction sees them. */
  ParentView parents() {
    return ShardOwner.parentView(view, shadow, reading.now(), /* departs= */ false);
  }

  /**
   * The parents in this shard as the replayed writes leave them. The caller holds the lock.
   *
   * @param instant of the commit
   */
  ParentView replayedParents(long instant) {
    return ShardOwner.parentView(
        view, Objects.requireNonNull(replayed), instant, /* departs= */ true);
  }

  /** The parents of its documents; null if they follow none. */
  @Nullable Parents followed() {
    return view.family().parents();
  }

  /**
   * Decides all writes again, on the current state of the shard. The caller holds the lock, and the
   * locks of the shards of parents.
   *
   * @param parents the look-up of parents; null if the documents follow none
   */
  void replay(TransactionId id, long instant, @Nullable ParentLookup parents) {
    checkSame();
    owner.settleTouches(instant, /* mayBlock= */ true);
    Set<ByteKey> expired = new HashSet<>();
    for (ByteKey key : held) {
      if (expiredSince(key.array(), instant)) {
        expired.add(key);
      } else {
        checkUnchanged(key.array(), instant);
      }
    }
    WriteGroup group = owner.group(transaction, id, parents, instant);
    try {
      for (Decided write : writes) {
        replay(write, expired, group);
      }
    } catch (EngineException refused) {
      throw LocalTransaction.conflict(refused.reason() + " since the transaction began");
    }
    replayed = group;
  }

  /** Returns the batch of the replayed writes. No write is replayed after it. */
  ShardBatch complete() {
    WriteGroup group = Objects.requireNonNull(replayed);
    owner.complete(group);
    return new ShardBatch(owner.shard(), group.batch());
  }

  /**
   * Returns whether a locked document was live when the transaction began and has expired since.
   */
  private boolean expiredSince(byte[] key, long instant) {
    byte[] then = snapshot.read(Space.RECORDS, key);
    if (then == null || !liveness.isLive(then, key)) {
      return false;
    }
    byte[] today = owner.record(key);
    boolean same = today != null && Header.version(today, 0) == Header.version(then, 0);
    return !owner.liveness(instant).isLive(same && today != null ? today : then, key);
  }

  /**
   * Replays one write. If the document has expired since the transaction began, an update becomes
   * an insert, and a delete is omitted.
   *
   * @param expired the documents that have expired and are not inserted yet
   */
  private static void replay(Decided write, Set<ByteKey> expired, WriteGroup group) {
    if (!expired.contains(write.key())) {
      group.apply(write.write());
    } else if (!write.after().isEmpty()) {
      expired.remove(write.key());
      group.apply(new Write.Insert(write.after()));
    }
  }

  /** Records that the replayed writes are committed. The caller holds the lock. */
  void committed() {
    WriteGroup group = replayed;
    if (group != null) {
      owner.committed(group);
    }
  }

  /** Releases the locks on documents and unique keys. */
  void release() {
    owner.lock().lockWithoutRecovery();
    try {
      owner.locks().release(transaction);
    } finally {
      owner.lock().unlock();
    }
  }
}
