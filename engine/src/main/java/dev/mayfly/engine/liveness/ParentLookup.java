package dev.mayfly.engine.liveness;

import dev.mayfly.engine.liveness.Departures.Departure;
import dev.mayfly.engine.liveness.ParentView.Parent;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.value.Document;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Look-up of the parents of documents, at one instant. Costs a point read for each document, unless
 * it remembers the last parent: then documents that lie together and have one parent share it. One
 * that remembers is for one thread.
 */
public final class ParentLookup {
  /** No version is as high. */
  private static final long NO_VERSION = Long.MAX_VALUE;

  private final ParentKeys keys;
  private final List<? extends ParentView> shards;
  private final boolean remembers;
  private final long liveFrom;
  private byte @Nullable [] lastKey;
  private @Nullable Parent last;

  /** What becomes of a child by its parent. */
  public enum State {
    /** It has no parent. */
    NONE,
    LIVE,
    DEAD
  }

  /**
   * Fate of a child.
   *
   * @param deadline when it died; only if it is dead
   * @param deleted whether its parent was deleted, and not expired
   */
  public record Fate(State state, long deadline, boolean deleted) {
    private static final Fate NONE = new Fate(State.NONE, Deadline.NEVER, false);
    private static final Fate LIVE = new Fate(State.LIVE, Deadline.NEVER, false);
  }

  private ParentLookup(
      ParentKeys keys, List<? extends ParentView> shards, boolean remembers, long liveFrom) {
    this.keys = keys;
    this.shards = List.copyOf(shards);
    this.remembers = remembers;
    this.liveFrom = liveFrom;
  }

  /**
   * Returns the look-up of a transaction.
   *
   * @param liveFrom documents with this version or a higher one are live: the transaction has
   *     written them, at an instant at which their parents were live or absent
   */
  public static ParentLookup of(ParentKeys keys, List<? extends ParentView> shards, long liveFrom) {
    return new ParentLookup(keys, shards, false, liveFrom);
  }

  /** Returns a look-up that many threads may use. */
  public static ParentLookup shared(ParentKeys keys, List<? extends ParentView> shards) {
    return new ParentLookup(keys, shards, false, NO_VERSION);
  }

  /** Returns a look-up that remembers the last parent, for one thread. */
  public static ParentLookup remembering(ParentKeys keys, List<? extends ParentView> shards) {
    return new ParentLookup(keys, shards, true, NO_VERSION);
  }

  /**
   * Returns the fate of a child.
   *
   * @param record with the {@link ParentKeys#fields} at least
   */
  public Fate fate(byte[] record) {
    long version = Header.version(record, 0);
    if (version >= liveFrom) {
      return Fate.LIVE;
    }
    PrimaryKey key = keys.of(RecordFormat.document(record));
    if (key == null) {
      return Fate.NONE;
    }
    Parent parent = find(key);
    Optional<Departure> departed = parent.departures().of(version);
    if (departed.isPresent()) {
      return new Fate(State.DEAD, departed.get().deadline(), departed.get().deleted());
    }
    return switch (parent.state()) {
      case NONE -> Fate.NONE;
      case LIVE -> Fate.LIVE;
      case EXPIRED -> new Fate(State.DEAD, parent.deadline(), false);
    };
  }

  private Parent find(PrimaryKey key) {
    Parent known = last;
    if (known != null && Arrays.equals(lastKey, key.bytes())) {
      return known;
    }
    Parent found = shardOf(key).find(key.bytes());
    if (remembers) {
      lastKey = key.bytes();
      last = found;
    }
    return found;
  }

  private ParentView shardOf(PrimaryKey key) {
    return shards.get(key.shardOf(shards.size()));
  }

  /**
   * Makes sure that a document that is about to be written does not follow an expired parent:
   * expired means deleted, so the document has no parent.
   */
  public void release(Document child) {
    PrimaryKey key = keys.of(child);
    if (key != null && shardOf(key).find(key.bytes()).state() == ParentView.State.EXPIRED) {
      shardOf(key).depart(key.bytes());
    }
  }

  /** The keys of the parents. */
  public ParentKeys keys() {
    return keys;
  }
}
