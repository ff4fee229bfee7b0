package dev.mayfly.mongo.auth;

/** Which clients must prove who they are. */
public enum Login {
  /** None. */
  NEVER,
  /** Those that are not on this machine. */
  FROM_AFAR,
  /** All, except that the first user may be made from this machine. */
  ALWAYS
}
