package dev.mayfly.engine.read;

import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;

/** What a short look into an index tells about a way through it. */
public interface IndexStatistics {
  /** Nothing is known. */
  IndexStatistics NONE =
      new IndexStatistics() {
        @Override
        public boolean brief(IndexState index, IndexMatch match) {
          return false;
        }

        @Override
        public boolean repetitive(IndexState index, IndexMatch match) {
          return false;
        }
      };

  /** Whether it leads to so few documents that sorting them is nothing. */
  boolean brief(IndexState index, IndexMatch match);

  /**
   * Whether going from value to value and fetching a document for each is less than reading all
   * documents: there are few, or many share a value.
   */
  boolean repetitive(IndexState index, IndexMatch match);
}
