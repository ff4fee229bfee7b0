package dev.mayfly.engine;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Writes of several callers that were decided in one group, in advance of its commit. Guarded by
 * the shard's lock.
 *
 * @param now the instant by which all of them were decided
 */
record Advance(Group group, long now, List<Turn> turns, Set<Bytes> sessions) {
  Advance(Group group, long now) {
    this(group, now, new ArrayList<>(), new HashSet<>());
  }

  /**
   * Whether another can join: at the same instant, so that nothing lives longer for the company it
   * is in, not in a session that must see what it did before, and while the batch is small.
   */
  boolean admits(Turn turn) {
    Retry retry = turn.manner().retry();
    return turn.instant() == now
        && group.batch().bytes() < Turns.MOST_BYTES_TOGETHER
        && (retry == null || !sessions.contains(retry.session()));
  }

  void add(Turn turn) {
    turns.add(turn);
    Retry retry = turn.manner().retry();
    if (retry != null) {
      sessions.add(retry.session());
    }
  }
}
