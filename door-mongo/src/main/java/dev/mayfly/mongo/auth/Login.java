package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Client;

/** Which clients must prove who they are. */
public enum Login {
  /** None. */
  NEVER,
  /** Those that are not on this machine. */
  FROM_AFAR,
  /** All, except that the first user may be made from this machine. */
  ALWAYS;

  /** Whether a client has to prove who it is. */
  public boolean binds(Client client) {
    return switch (this) {
      case NEVER -> false;
      case FROM_AFAR -> !client.loopback();
      case ALWAYS -> true;
    };
  }
}
