package dev.mayfly.expiry;

/** What a header alone tells of its document. */
public enum Verdict {
  LIVE,
  EXPIRED,
  /** The entry is older than a lane that counts: only the document itself can tell. */
  UNKNOWN
}
