package dev.mayfly.mongo.admin;

/**
 * Counters and registries of one server: connected clients, running operations, totals, log. Those
 * of one engine are in {@link EngineMonitoring}. Thread-safe.
 */
public record Monitoring(Clients clients, Operations operations, Totals totals, ServerLog log) {
  /**
   * Returns the monitoring of a server that has just started.
   *
   * @param maxConnections the number of clients that can be connected at a time
   */
  public static Monitoring of(String hostname, int maxConnections) {
    Clients clients = new Clients(maxConnections);
    return new Monitoring(
        clients, new Operations(clients, hostname), new Totals(), new ServerLog());
  }
}
