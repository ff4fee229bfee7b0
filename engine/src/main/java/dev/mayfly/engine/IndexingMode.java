package dev.mayfly.engine;

/** When secondary indexes follow a write. */
public enum IndexingMode {
  /** In the same batch. */
  CONSISTENT,
  /** Behind the write: queries may be incomplete, never wrong about expiry. */
  LAZY,
  /** Not at all: there are no secondary indexes, and no time to live. */
  NONE
}
