package dev.mayfly.engine.liveness;

/**
 * View of the parents in one shard at one instant: the present state of the shard, a snapshot, or
 * the state that a transaction sees.
 */
public interface ParentView {
  /** State of the parent with a key, apart from departures. */
  enum State {
    /** No record has the key, or only a swept one. */
    NONE,
    LIVE,
    EXPIRED
  }

  /**
   * Parent as found.
   *
   * @param deadline when it expired; only if it has
   */
  record Parent(State state, long deadline, Departures departures) {}

  /** Looks up the parent with a primary key. */
  Parent find(byte[] primaryKey);

  /**
   * Removes an expired parent before the sweep does, so that a child that is written now does not
   * follow it. Has no effect where children that are written now are live in any case.
   */
  void depart(byte[] primaryKey);
}
