package dev.mayfly.engine.liveness;

import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Departures of the parents that have had one key, oldest first: the value of a departed entry.
 * Immutable; specified in {@code docs/formats/entries.md}.
 *
 * <p>A departure concerns the children that were written before it. A child that is written later
 * has no parent, or the next one with the key.
 */
public record Departures(List<Departure> all) {
  /** No parent with the key has departed, or none of its children is left. */
  public static final Departures NONE = new Departures(List.of());

  /**
   * Departure of one parent: its expiry was swept, or it was removed early.
   *
   * @param sequence children with a lower version are dead
   * @param deadline when they died, in epoch milliseconds
   * @param at the time of the commit, in epoch milliseconds
   * @param deleted whether the parent was deleted, and not expired
   */
  public record Departure(long sequence, long deadline, long at, boolean deleted) {}

  public Departures {
    all = List.copyOf(all);
  }

  /** Returns these with a later departure. */
  public Departures with(Departure next) {
    List<Departure> more = new ArrayList<>(all);
    more.add(next);
    return new Departures(more);
  }

  /** Returns these without departures at which a child died after an instant. */
  public Departures until(long instant) {
    return new Departures(all.stream().filter(one -> one.deadline() <= instant).toList());
  }

  /** Returns the departure with which a child died. */
  public Optional<Departure> of(long version) {
    for (Departure one : all) {
      if (version < one.sequence()) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /** The stored form. */
  public byte[] encode() {
    ByteBuilder to = new ByteBuilder();
    for (Departure one : all) {
      to.varint(one.sequence()).signed(one.deadline()).signed(one.at()).put(one.deleted() ? 1 : 0);
    }
    return to.bytes();
  }

  /** Decodes the stored form. */
  public static Departures decode(byte[] stored) {
    List<Departure> all = new ArrayList<>(1);
    ByteCursor cursor = new ByteCursor(stored, 0);
    while (!cursor.atEnd()) {
      all.add(new Departure(cursor.varint(), cursor.signed(), cursor.signed(), cursor.read() != 0));
    }
    return new Departures(all);
  }
}
