package dev.mayfly.mongo.auth;

import dev.mayfly.mongo.command.Client;

/** Which clients have to log in. */
public enum Login {
  /** No client. */
  NEVER,
  /** Clients that do not connect over the loopback interface. */
  REMOTE,
  /**
   * All clients; only the first user may be created over the loopback interface without a login.
   */
  ALWAYS;

  /** Whether a client has to log in. */
  public boolean requiresLogin(Client client) {
    return switch (client.privileges()) {
      case ALL -> false;
      case OF_USER -> true;
      case BY_ADDRESS ->
          switch (this) {
            case NEVER -> false;
            case REMOTE -> !client.loopback();
            case ALWAYS -> true;
          };
    };
  }
}
