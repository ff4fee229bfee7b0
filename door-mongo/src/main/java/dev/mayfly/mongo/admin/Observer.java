package dev.mayfly.mongo.admin;

/**
 * Receives an event for each answered request. Called by many threads concurrently; must be fast.
 */
public interface Observer {
  /**
   * Called after a request was answered.
   *
   * @param kind the operation type: insert, query, update, delete, getmore or command
   * @param done whether it succeeded
   * @param nanos its duration
   */
  void answered(String kind, boolean done, long nanos);
}
