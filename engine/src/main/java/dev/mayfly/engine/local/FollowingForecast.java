package dev.mayfly.engine.local;

import dev.mayfly.engine.Usage;
import dev.mayfly.engine.catalog.CollectionState;
import dev.mayfly.engine.read.DeadChildren;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.Schedule;
import java.util.List;
import java.util.SortedMap;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Correction of forecasts that count documents by their own rules alone, for documents that follow
 * parents: one whose parent expires first moves to the rule of its parents, and one whose parent is
 * dead already is not counted. Reads the parents that expire until the end of the forecast, and
 * their children.
 */
final class FollowingForecast {
  private final CollectionState state;
  private final long now;
  private final LongFunction<@Nullable SortedMap<String, Usage>> counts;

  /**
   * @param counts the counts by rule for a deadline after now; null if it is in no forecast
   */
  FollowingForecast(
      CollectionState state, long now, LongFunction<@Nullable SortedMap<String, Usage>> counts) {
    this.state = state;
    this.now = now;
    this.counts = counts;
  }

  /** Corrects the counts of a collection up to an instant. */
  void add(List<ShardOwner> owners, long until) {
    String rule =
        state
            .spec()
            .expiresWith()
            .map(with -> CollectionState.followingRule(with.collection()))
            .orElse("");
    DeadChildren.forEach(
        owners,
        now,
        until,
        child -> {
          Schedule rules = child.owner().compiled().schedule();
          long own = rules.deadline(child.record());
          if (own <= child.parentDeadline()) {
            return;
          }
          if (own != Deadline.NEVER) {
            SortedMap<String, Usage> from = counts.apply(own);
            int lane = rules.at(own).expiringLane(child.record(), true);
            if (from != null && lane >= 0) {
              from.computeIfPresent(
                  state.ruleOf(lane), (_, usage) -> positive(usage.minus(child.usage())));
            }
          }
          if (child.parentDeadline() > now) {
            SortedMap<String, Usage> to = counts.apply(child.parentDeadline());
            if (to != null) {
              to.merge(rule, child.usage(), Usage::plus);
            }
          }
        });
  }

  /** Writes may have changed what was counted before: a count is never negative. */
  private static @Nullable Usage positive(Usage usage) {
    return usage.documents() > 0 ? usage : null;
  }
}
