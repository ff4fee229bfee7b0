package dev.mayfly.mongo.admin;

/** Is told of requests that were answered. Called by many threads at once, and must be quick. */
public interface Observer {
  /**
   * A request was answered.
   *
   * @param kind what MongoDB counts it as: insert, query, update, delete, getmore or command
   * @param done whether it was done; else it was refused
   */
  void answered(String kind, boolean done, long nanos);
}
