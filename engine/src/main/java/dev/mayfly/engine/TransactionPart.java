package dev.mayfly.engine;

import dev.mayfly.expiry.Cutoffs;
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

  private final Transaction transaction;
  private final ShardOwner owner;
  private final ShardOwner.View view;
  private final Snapshot snapshot;
  private final Cutoffs cutoffs;
  private final long now;
  private final Group shadow;
  private final Set<Bytes> held = new HashSet<>();
  private final List<Decided> writes = new ArrayList<>();
  private @Nullable Group replayed;

  /**
   * A write as it is to be replayed: what was decided is not decided again.
   *
   * @param after what becomes of the document; empty when it is deleted
   */
  private record Decided(Bytes key, Write write, Document after) {}

  TransactionPart(
      Transaction transaction,
      ShardOwner owner,
      ShardOwner.View view,
      Snapshot snapshot,
      long sequence,
      long now) {
    this.transaction = transaction;
    this.owner = owner;
    this.view = view;
    this.snapshot = snapshot;
    this.cutoffs = view.schedule().at(now);
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

  Optional<Stored> read(PrimaryKey key) {
    byte[] record = shadow.current(key.bytes());
    return live(record, key.bytes(), cutoffs, view.swept()) == ABSENT || record == null
        ? Optional.empty()
        : Optional.of(ShardOwner.stored(view.schedule(), record));
  }

  /** Where a plan finds documents: on the snapshot, and among what was written since. */
  List<Source> sources(Plan plan) {
    if (plan instanceof Plan.Point) {
      return List.of(Source.beneath(owner, view, plan, now, new OnTop(), Set.of()));
    }
    Map<Bytes, byte[]> written = Map.copyOf(shadow.written());
    Source beneath = Source.beneath(owner, view, plan, now, snapshot, written.keySet());
    return written.isEmpty()
        ? List.of(beneath)
        : List.of(beneath, Source.written(view, written, now, snapshot));
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
  Outcome write(Write write, PrimaryKey key, long instant) {
    owner.lock().lock();
    try {
      checkSame();
      if (owner.holds().holdDocument(key.bytes(), transaction)) {
        held.add(new Bytes(key.bytes()));
        checkUnchanged(key.bytes(), instant);
      }
      Outcome outcome = shadow.apply(write);
      resolve(new Bytes(key.bytes()), write, outcome).ifPresent(writes::add);
      return outcome;
    } finally {
      owner.lock().unlock();
    }
  }

  private static Optional<Decided> resolve(Bytes at, Write write, Outcome outcome) {
    return switch (outcome) {
      case Outcome.Inserted(Stored after) ->
          Optional.of(new Decided(at, new Write.Insert(after.document()), after.document()));
      case Outcome.Updated(_, Stored after) -> {
        Write replayed =
            write instanceof Write.Update update
                ? update.decided(after.document())
                : new Write.Replace(after.document());
        yield Optional.of(new Decided(at, replayed, after.document()));
      }
      case Outcome.Deleted _ when write instanceof Write.Delete(DocumentKey key, _) ->
          Optional.of(new Decided(at, new Write.Delete(key), Document.EMPTY));
      case Outcome.Deleted _,
          Outcome.Unchanged _,
          Outcome.Repeated _,
          Outcome.Failed _,
          Outcome.Skipped _ ->
          Optional.empty();
    };
  }

  private void checkSame() {
    owner.checkOpen();
    if (owner.compiled() != view.compiled()) {
      throw Transaction.conflict("the collection has changed since the transaction began");
    }
  }

  /** Refuses to write over what has been written, or has expired, since the beginning. */
  private void checkUnchanged(byte[] key, long instant) {
    long then = live(snapshot.read(Space.RECORDS, key), key, cutoffs, view.swept());
    long today = live(owner.record(key), key, owner.cutoffs(instant), owner.swept());
    if (then != today) {
      throw Transaction.conflict("the document has changed since the transaction began");
    }
  }

  /** The version of a live record. */
  private static long live(byte @Nullable [] record, byte[] key, Cutoffs cutoffs, Swept swept) {
    return record == null || cutoffs.expired(record) || swept.inPart(record, key)
        ? ABSENT
        : Header.sequence(record, 0);
  }

  /** Takes the unique keys of documents as they are written; documents are taken before. */
  private final class Taking implements Holds.Guard {
    @Override
    public void checkDocument(byte[] primaryKey) {}

    @Override
    public void checkUniqueKey(byte[] entryKey) {
      if (owner.holds().holdUniqueKey(entryKey, transaction)) {
        byte[] then = snapshot.read(Space.ENTRIES, entryKey);
        byte[] today = owner.shard().read(Space.ENTRIES, entryKey);
        if (!Arrays.equals(then, today)) {
          throw Transaction.conflict("a unique key has changed since the transaction began");
        }
      }
    }
  }

  /** Decides all writes on the shard as it is. The caller holds the lock. */
  ShardBatch replay(TransactionId id, long instant) {
    checkSame();
    Set<Bytes> expired = new HashSet<>();
    for (Bytes key : held) {
      if (expiredSince(key.array(), instant)) {
        expired.add(key);
      } else {
        checkUnchanged(key.array(), instant);
      }
    }
    Group group = owner.group(transaction, id, instant);
    try {
      for (Decided write : writes) {
        replay(write, expired, group);
      }
    } catch (EngineException refused) {
      throw Transaction.conflict(refused.reason() + " since the transaction began");
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
        && live(record, key, cutoffs, view.swept()) != ABSENT
        && owner.cutoffs(instant).expired(record);
  }

  /**
   * What was written to a document that has expired since makes it anew: nobody else saw it after
   * its deadline, and from the commit on it is there with what was written. What was deleted is
   * gone already.
   *
   * @param expired the documents that are absent so far
   */
  private static void replay(Decided write, Set<Bytes> expired, Group group) {
    if (!expired.contains(write.key())) {
      group.apply(write.write());
    } else if (!write.after().isEmpty()) {
      expired.remove(write.key());
      group.apply(new Write.Insert(write.after()));
    }
  }

  /** Notes that what was replayed is committed. The caller holds the lock. */
  void committed() {
    Group group = replayed;
    if (group != null) {
      owner.committed(group);
    }
  }

  /** Lets go of what it holds. */
  void release() {
    owner.lock().lockAsItIs();
    try {
      owner.holds().release(transaction);
    } finally {
      owner.lock().unlock();
    }
  }
}
