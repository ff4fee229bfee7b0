package dev.mayfly.engine;

/** Durability of a write when it is acknowledged. */
public enum Durability {
  /** When it is in the log: survives the end of the process, not a power failure. */
  LOGGED,
  /** When the log is on disk: survives a power failure. */
  SYNCED
}
