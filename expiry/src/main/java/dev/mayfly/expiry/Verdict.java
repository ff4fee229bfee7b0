package dev.mayfly.expiry;

/** Result of a check that uses a header alone. */
public enum Verdict {
  LIVE,
  EXPIRED,
  /** The entry is older than a lane or mark: the document is needed. */
  UNKNOWN
}
