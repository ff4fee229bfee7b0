package dev.mayfly.engine;

/** Indexing mode: when secondary indexes are updated. */
public enum IndexingMode {
  /** In the same batch. */
  CONSISTENT,
  /** After the write: query results may be incomplete, but never contain expired documents. */
  LAZY,
  /** Not at all: there are no secondary indexes, and no time to live. */
  NONE
}
