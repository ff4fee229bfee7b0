package dev.mayfly.server;

import dev.mayfly.store.Store;

/**
 * Store that a server opens in place of a data directory.
 *
 * @param opener opens it; fails with a message for users
 * @param description where the data is, for users: {@code "Cassandra at 10.0.0.1, keyspace mayfly"}
 */
public record RemoteStore(Opener opener, String description) {
  /** Opens the store. */
  @FunctionalInterface
  public interface Opener {
    /**
     * Connects and opens the store.
     *
     * @param lost called once if another server takes the data over: this one must stop
     */
    Store open(Runnable lost);
  }
}
