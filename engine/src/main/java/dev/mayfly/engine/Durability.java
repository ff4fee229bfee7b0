package dev.mayfly.engine;

/** Durability of a write when it is acknowledged. */
public enum Durability {
  /** When it is in the log: survives the end of the process, not a loss of power. */
  LOGGED,
  /** When the log is on disk: survives a loss of power. */
  SYNCED
}
