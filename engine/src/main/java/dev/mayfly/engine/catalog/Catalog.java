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
 * What collections there are, in shard 0 of the store: one small document each. Every change is one
 * batch and is on disk before it counts.
 *
 * <p>Not thread-safe: the engine guards it.
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
  private static final byte REMAINS = 'g';

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
          "the data is in format " + number(format) + ", this version knows format " + FORMAT);
    }
    byte[] next = shard.read(Space.META, NEXT_KEY);
    if (next != null) {
      ByteCursor cursor = new ByteCursor(next, 0);
      nextCollection = (int) cursor.varint();
      nextShard = (int) cursor.varint();
    }
  }

  /** What tells this data from all other: made up when it is first asked for, then kept. */
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

  /** The latest time that was kept; empty in data that is new, or older than this is kept. */
  public OptionalLong time() {
    byte[] stored = shard.read(Space.META, TIME_KEY);
    return stored == null
        ? OptionalLong.empty()
        : OptionalLong.of(new ByteCursor(stored, 0).signed());
  }

  /** Keeps a time. It is not worth waiting for the disk: a moment before will do. */
  public void keepTime(long time) {
    shard.commit(new Batch().put(Space.META, TIME_KEY, new ByteBuilder().signed(time).bytes()));
  }

  /** Where the engine keeps what belongs to no collection. */
  public Shard shard() {
    return shard;
  }

  /** The first sequence that was never handed out. */
  public long firstSequence() {
    byte[] reserved = shard.read(Space.META, SEQUENCE_KEY);
    return reserved == null ? 1 : number(reserved);
  }

  /** Makes durable that sequences below a number are taken. */
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
   * A number for a new collection; one that comes to nothing may be given again after a restart.
   */
  public int takeCollection() {
    return nextCollection++;
  }

  /** Numbers for so many new shards, as {@link #takeCollection}. */
  public List<Integer> takeShards(int count) {
    List<Integer> shards = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      shards.add(nextShard++);
    }
    return shards;
  }

  /** Each adds a change to a batch, which counts from {@link #commit} on. */
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

  /** As {@link #drop}, but its feeds can still be read until {@link #forget}. */
  public void keepDropped(Batch batch, int id, Document dropped) {
    batch.delete(Space.META, key(COLLECTION, id));
    batch.put(Space.META, key(REMAINS, id), dropped.bytes());
  }

  /** Lets the space of a dropped collection be given back. */
  public void forget(Batch batch, CollectionState state) {
    batch.delete(Space.META, key(REMAINS, state.id()));
    for (int number : state.shards()) {
      batch.put(Space.META, key(DROPPED, number), new byte[] {1});
    }
  }

  /** What is left of dropped collections. */
  public List<Document> remains() {
    List<Document> remains = new ArrayList<>();
    try (Scan scan = shard.scan(Space.META, Range.prefix(new byte[] {REMAINS}), Direction.UP)) {
      while (scan.next()) {
        remains.add(Document.trusted(scan.value()));
      }
    }
    return remains;
  }

  /** Shards of dropped collections whose space has not been given back yet. */
  public List<Integer> droppedShards() {
    List<Integer> dropped = new ArrayList<>();
    try (Scan scan = shard.scan(Space.META, Range.prefix(new byte[] {DROPPED}), Direction.UP)) {
      while (scan.next()) {
        dropped.add(new dev.mayfly.value.KeyReader(scan.key(), 1).readInt());
      }
    }
    return dropped;
  }

  /** Notes that the space of a shard was given back; returns its number. */
  public int forgetShard(int number) {
    commit(new Batch().delete(Space.META, key(DROPPED, number)));
    return number;
  }

  /** Makes a change durable. */
  public void commit(Batch batch) {
    commit(batch, () -> {});
  }

  /**
   * Makes a change durable and then has it count in memory. It also counts when the flush to disk
   * fails: it is stored all the same.
   *
   * @throws EngineException OUTCOME_UNKNOWN when the flush to disk fails
   */
  public void commit(Batch batch, Runnable count) {
    long ticket =
        VerifiedCommit.of(shard, batch, () -> OptionalLong.of(shard.commit(batch))).orElseThrow();
    try {
      VerifiedCommit.sync(shard, ticket);
    } finally {
      count.run();
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
