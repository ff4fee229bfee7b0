package dev.mayfly.server;

import java.util.Optional;

/**
 * Settings of a server for tests, in place of the Cosmos DB emulators and of {@code mongo} images.
 *
 * @param root user with the role root that is added to a server without users; empty for none
 */
public record EmulatorSettings(Optional<RootUser> root) {
  /**
   * First user, in the database {@code admin}.
   *
   * @param password secret
   */
  public record RootUser(String name, String password) {
    @Override
    public String toString() {
      return "RootUser[" + name + "]";
    }
  }
}
