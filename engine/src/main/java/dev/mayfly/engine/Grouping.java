package dev.mayfly.engine;

/** Atomicity and order of a call with several writes. */
public enum Grouping {
  /** All or none. All writes must target one shard. */
  ATOMIC,
  /** In order, up to the first that fails. */
  ORDERED,
  /** Each on its own. */
  UNORDERED
}
