package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.expiry.Header;
import java.util.Arrays;

/**
 * Changes of the number of documents at places of lanes, in the order in which they were made.
 * Consecutive changes at one place are one. For one thread.
 */
public final class PlaceChanges {
  private static final int FIELDS = 4;

  private final ExpiryLanes lanes;
  private final Position position = new Position();

  /** For each change: lane and whether the documents are in several; place; documents; bytes. */
  private long[] changes = {};

  private int size;

  /** Where a document is counted. */
  static final class Position {
    private int lane;
    private long place;
    private boolean several;

    void set(int number, long at, boolean inSeveral) {
      lane = number;
      place = at;
      several = inSeveral;
    }
  }

  /** Receives changes. */
  interface Sink {
    /**
     * Adds documents, or removes them if the numbers are negative.
     *
     * @param several whether they are in several lanes
     */
    void add(int lane, long place, boolean several, long documents, long bytes);
  }

  PlaceChanges(ExpiryLanes lanes) {
    this.lanes = lanes;
  }

  /** Changes of a collection in this state. */
  public static PlaceChanges of(CompiledCollection compiled) {
    return new PlaceChanges(ExpiryLanes.of(compiled));
  }

  /** Returns whether the header of a lane entry suffices to count its document. */
  public boolean coveredBy(byte[] entry) {
    return lanes.coveredBy(entry);
  }

  /**
   * Removes a document.
   *
   * @param entry its record, or an entry for which {@link #coveredBy} is true
   */
  public void removed(byte[] entry, long size) {
    add(entry, -1, -size);
  }

  void add(byte[] entry, long count, long size) {
    if (lanes.isEmpty()) {
      return;
    }
    lanes.find(entry, position);
    if (position.place != Header.NO_PLACE) {
      add(position.lane, position.place, position.several, count, size);
    }
  }

  private void add(int lane, long place, boolean several, long count, long length) {
    long key = (long) lane << 1 | (several ? 1 : 0);
    int last = (size - 1) * FIELDS;
    if (size == 0 || changes[last] != key || changes[last + 1] != place) {
      last = size++ * FIELDS;
      if (last == changes.length) {
        changes = Arrays.copyOf(changes, Math.max(last * 2, FIELDS));
      }
      changes[last] = key;
      changes[last + 1] = place;
    }
    changes[last + 2] += count;
    changes[last + 3] += length;
  }

  /** Number of places at which something has changed. */
  int size() {
    return size;
  }

  void applyTo(Sink sink) {
    for (int i = 0; i < size * FIELDS; i += FIELDS) {
      long documents = changes[i + 2];
      long bytes = changes[i + 3];
      if (documents != 0 || bytes != 0) {
        sink.add((int) (changes[i] >> 1), changes[i + 1], (changes[i] & 1) != 0, documents, bytes);
      }
    }
  }
}
