package dev.mayfly.engine;

/** How several writes hang together. */
public enum Grouping {
  /** All or none; all must fall into one shard. */
  ATOMIC,
  /** In order, up to the first that fails. */
  ORDERED,
  /** Each for itself. */
  UNORDERED
}
