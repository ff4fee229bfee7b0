package dev.mayfly.mongo;

import dev.mayfly.mongo.command.Client;

/** Selects the clients that may connect without TLS. */
public enum PlaintextPolicy {
  /** All. */
  ALL,
  /** Those on this machine. */
  LOOPBACK,
  /** None. */
  NONE;

  boolean allows(Client client) {
    return switch (this) {
      case ALL -> true;
      case LOOPBACK -> client.loopback();
      case NONE -> false;
    };
  }
}
