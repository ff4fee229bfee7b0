package dev.mayfly.engine.read;

import dev.mayfly.engine.WouldBlock;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;

/** Index statistics for the planner, from samples. */
public interface IndexStatistics {
  /** No statistics. */
  IndexStatistics NONE =
      new IndexStatistics() {
        @Override
        public boolean isShort(IndexState index, IndexMatch match) {
          return false;
        }

        @Override
        public boolean favorsSkipScan(IndexState index, IndexMatch match) {
          return false;
        }
      };

  /** Statistics that an event loop cannot wait for. */
  IndexStatistics NOT_AVAILABLE =
      new IndexStatistics() {
        @Override
        public boolean isShort(IndexState index, IndexMatch match) {
          throw new WouldBlock();
        }

        @Override
        public boolean favorsSkipScan(IndexState index, IndexMatch match) {
          throw new WouldBlock();
        }
      };

  /** Returns whether a scan has so few entries that a sort of their documents is cheap. */
  boolean isShort(IndexState index, IndexMatch match);

  /**
   * Returns whether a skip scan is cheaper than a scan of all documents: there are few entries, or
   * many documents share a value.
   */
  boolean favorsSkipScan(IndexState index, IndexMatch match);
}
