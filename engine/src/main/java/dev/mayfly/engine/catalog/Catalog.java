package dev.mayfly.engine.catalog;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.VerifiedCommit;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Shard;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Catalog: the stored states of all collections, in shard 0. A change is one batch, and is on disk
 * before it takes effect. Guarded by the lock of the registry, except {@link #reserveSequences} and
 * {@link #keepTime}.
 */
public final class Catalog {
  public static final int SHARD = 0;

  private static final long FORMAT = 1;
  private static final byte[] FORMAT_KEY = {'v'};
  private static final byte[] SEQUENCE_KEY = {'s'};
  private static final byte[] NEXT_KEY = {'n'};
  private static final byte[] IDENTITY_KEY = {'u'};
  private static final byte[] TIME_KEY = {'t'};
  private static final byte COLLECTION = 'c';
  private static final byte DROPPED = 'd';
  private static final byte KEPT_DROPPED = 'g';

  private final Shard shard;
  private int nextCollection = 1;
  private int nextShard = SHARD + 1;

  public Catalog(Shard shard) {
    this.shard = shard;
    byte[] format = shard.read(Space.META, FORMAT_KEY);
    if (format == null) {
      commit(new Batch().put(Space.META, FORMAT_KEY, number(FORMAT)));
    } else if (number(format) > FORMAT) {
      throw new EngineException(
          Reason.UNREADABLE,
          "the data has format "
              + number(format)
              + ", but this version reads up to format "
              + FORMAT);
    }
    byte[] next = shard.read(Space.META, NEXT_KEY);
    if (next != null) {
      ByteCursor cursor = new ByteCursor(next, 0);
      nextCollection = (int) cursor.varint();
      nextShard = (int) cursor.varint();
    }
  }

  /** Returns the id of this data, created with the first call and stored. */
  public UUID identity() {
    byte[] stored = shard.read(Space.META, IDENTITY_KEY);
    if (stored == null) {
      UUID made = UUID.randomUUID();
      byte[] bytes =
          ByteBuffer.allocate(16)
              .putLong(made.getMostSignificantBits())
              .putLong(made.getLeastSignificantBits())
              .array();
      commit(new Batch().put(Space.META, IDENTITY_KEY, bytes));
      return made;
    }
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    return new UUID(bytes.getLong(), bytes.getLong());
  }

  /** The last time that was stored; empty if none was. */
  public OptionalLong time() {
    byte[] stored = shard.read(Space.META, TIME_KEY);
    return stored == null
        ? OptionalLong.empty()
        : OptionalLong.of(new ByteCursor(stored, 0).signed());
  }

  /**
   * Stores a time, without waiting for the disk: after a power failure, an earlier one is good
   * enough.
   */
  public void keepTime(long time) {
    shard.commit(new Batch().put(Space.META, TIME_KEY, new ByteBuilder().signed(time).bytes()));
  }

  /** The shard of the catalog, its log and receipts of transactions. */
  public Shard shard() {
    return shard;
  }

  /** The first sequence that was never reserved. */
  public long firstSequence() {
    byte[] reserved = shard.read(Space.META, SEQUENCE_KEY);
    return reserved == null ? 1 : number(reserved);
  }

  /** Stores durably that sequences below a number are reserved. */
  public void reserveSequences(long below) {
    commit(new Batch().put(Space.META, SEQUENCE_KEY, number(below)));
  }

  public List<CollectionState> collections() {
    List<CollectionState> states = new ArrayList<>();
    try (Scan scan = shard.scan(Space.META, Range.prefix(new byte[] {COLLECTION}), Direction.UP)) {
      while (scan.next()) {
        states.add(CollectionState.of(Document.trusted(scan.value())));
      }
    }
    return states;
  }

  /**
   * Returns a number for a new collection. If the collection is not created, a restart may use the
   * number again.
   */
  public int takeCollection() {
    return nextCollection++;
  }

  /** Returns numbers for new shards, like {@link #takeCollection}. */
  public List<Integer> takeShards(int count) {
    List<Integer> shards = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      shards.add(nextShard++);
    }
    return shards;
  }

  /**
   * Adds a new collection to a batch, which {@link #commit} stores. The methods below do the same
   * for other changes.
   */
  public void create(Batch batch, CollectionState state) {
    byte[] next = new ByteBuilder().varint(nextCollection).varint(nextShard).bytes();
    batch.put(Space.META, NEXT_KEY, next);
    replace(batch, state);
  }

  public void replace(Batch batch, CollectionState state) {
    batch.put(Space.META, key(COLLECTION, state.id()), state.toDocument().bytes());
  }

  public void drop(Batch batch, CollectionState state) {
    batch.delete(Space.META, key(COLLECTION, state.id()));
    forget(batch, state);
  }

  /** As {@link #drop}, but keeps the feeds until {@link #forget}. */
  public void keepDropped(Batch batch, int id, Document dropped) {
    batch.delete(Space.META, key(COLLECTION, id));
    batch.put(Space.META, key(KEPT_DROPPED, id), dropped.bytes());
  }

  /** Adds the shards of a dropped collection to the list of shards to erase. */
  public void forget(Batch batch, CollectionState state) {
    batch.delete(Space.META, key(KEPT_DROPPED, state.id()));
    for (int number : state.shards()) {
      batch.put(Space.META, key(DROPPED, number), new byte[] {1});
    }
  }

  /** Returns the dropped collections whose feeds are kept. */
  public List<Document> keptDropped() {
    List<Document> kept = new ArrayList<>();
    try (Scan scan =
        shard.scan(Space.META, Range.prefix(new byte[] {KEPT_DROPPED}), Direction.UP)) {
      while (scan.next()) {
        kept.add(Document.trusted(scan.value()));
      }
    }
    return kept;
  }

  /** Returns the shards of dropped collections that are not erased yet. */
  public List<Integer> droppedShards() {
    List<Integer> dropped = new ArrayList<>();
    try (Scan scan = shard.scan(Space.META, Range.prefix(new byte[] {DROPPED}), Direction.UP)) {
      while (scan.next()) {
        dropped.add(new dev.mayfly.value.KeyReader(scan.key(), 1).readInt());
      }
    }
    return dropped;
  }

  /**
   * Records that shards were erased, without waiting for the disk: after a power failure they are
   * erased again. Returns whether there were any.
   */
  public boolean forgetShards(List<Integer> numbers) {
    Batch batch = new Batch();
    numbers.forEach(number -> batch.delete(Space.META, key(DROPPED, number)));
    shard.commit(batch);
    return !numbers.isEmpty();
  }

  /** Stores a change durably. */
  public void commit(Batch batch) {
    commit(batch, () -> {});
  }

  /**
   * Stores a change durably, then runs an action that makes it effective in memory. The action also
   * runs if the flush to disk fails, because the change is stored then, too.
   *
   * @throws EngineException OUTCOME_UNKNOWN if the flush to disk fails
   */
  public void commit(Batch batch, Runnable apply) {
    long ticket =
        VerifiedCommit.of(shard, batch, () -> OptionalLong.of(shard.commit(batch))).orElseThrow();
    try {
      VerifiedCommit.sync(shard, ticket);
    } finally {
      apply.run();
    }
  }

  private static byte[] key(byte tag, int number) {
    return new KeyWriter().appendByte(tag).appendInt(number).bytes();
  }

  private static byte[] number(long value) {
    return new ByteBuilder().varint(value).bytes();
  }

  private static long number(byte[] bytes) {
    return new ByteCursor(bytes, 0).varint();
  }
}
