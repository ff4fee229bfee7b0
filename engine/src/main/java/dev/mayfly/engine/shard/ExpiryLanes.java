package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.expiry.Cutoffs;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Header;
import dev.mayfly.expiry.Lane;
import dev.mayfly.expiry.Schedule;
import java.util.List;

/**
 * The lanes by which the documents of a collection are counted: each document at one place of one
 * lane. A document in one lane is counted there, whatever the rules are. A document in several
 * lanes is counted in the lane whose deadline comes first under the current rules. Immutable.
 */
public final class ExpiryLanes {
  /** The lane of a document that is in several lanes of which none has a rule. */
  static final int NO_LANE = -1;

  private final List<Lane> kept;
  private final List<Lane> ruled;
  private final long newestLane;

  private ExpiryLanes(List<Lane> kept, List<Lane> ruled) {
    this.kept = kept;
    this.ruled = ruled;
    this.newestLane =
        kept.stream()
            .filter(lane -> lane.number() >= Lane.FIRST_EXPLICIT)
            .mapToLong(Lane::since)
            .max()
            .orElse(Long.MIN_VALUE);
  }

  static ExpiryLanes of(CompiledCollection compiled) {
    return new ExpiryLanes(compiled.kept(), compiled.schedule().lanes());
  }

  /** The lanes that writes maintain. */
  List<Lane> kept() {
    return kept;
  }

  boolean isEmpty() {
    return kept.isEmpty();
  }

  /** Returns whether a lane is among these, with the same places. */
  public boolean has(int number, long since) {
    return kept.stream().anyMatch(lane -> lane.number() == number && lane.since() == since);
  }

  /** Returns whether documents in one lane are counted at the same places. */
  boolean sameLanes(ExpiryLanes other) {
    return kept.size() == other.kept.size()
        && kept.stream().allMatch(lane -> other.has(lane.number(), lane.since()));
  }

  /** Returns whether documents in several lanes are counted at the same places, too. */
  boolean sameRules(ExpiryLanes other) {
    if (ruled.size() != other.ruled.size()) {
      return false;
    }
    for (int i = 0; i < ruled.size(); i++) {
      if (ruled.get(i).number() != other.ruled.get(i).number()
          || ruled.get(i).lifeMillis() != other.ruled.get(i).lifeMillis()) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether cutoffs are those of these rules, without the effect of any mark. */
  public boolean rule(Cutoffs cutoffs) {
    for (Lane lane : kept) {
      long cutoff = Long.MIN_VALUE;
      for (Lane one : ruled) {
        cutoff = one.number() == lane.number() ? one.cutoff(cutoffs.now()) : cutoff;
      }
      if (cutoffs.of(lane.number()) != cutoff || cutoffs.reach(lane.number()) != cutoff) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the header of a document contains its places in all lanes. */
  boolean coveredBy(byte[] header) {
    return Header.sequence(header, 0) >= newestLane;
  }

  /**
   * Finds where a document is counted.
   *
   * @param record a record, or an entry of which {@link #coveredBy} is true
   * @param change receives the lane, the place, and whether the document is in several lanes; the
   *     place is {@link Header#NO_PLACE} if the document is in no lane
   */
  void find(byte[] record, PlaceChanges.Position change) {
    int lanes = 0;
    int number = NO_LANE;
    long place = Header.NO_PLACE;
    for (Lane lane : kept) {
      long found = Schedule.placeOf(lane, record);
      if (found != Header.NO_PLACE) {
        lanes++;
        number = lane.number();
        place = found;
      }
    }
    if (lanes > 1) {
      number = NO_LANE;
      place = 0;
      long earliest = Long.MAX_VALUE;
      for (Lane lane : ruled) {
        long found = Schedule.placeOf(lane, record);
        long deadline = Deadline.of(found, lane.lifeMillis());
        if (found != Header.NO_PLACE && deadline < earliest) {
          earliest = deadline;
          number = lane.number();
          place = found;
        }
      }
    }
    change.set(number, place, lanes > 1);
  }
}
