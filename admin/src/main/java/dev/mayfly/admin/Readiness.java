package dev.mayfly.admin;

/** Readiness of a server for load balancers. */
public enum Readiness {
  READY("ready"),
  /** The first user or the seed is not complete; clients that do not wait are served. */
  STARTING("not ready: starting"),
  /** Requests in progress are completed; new clients must use another server. */
  DRAINING("not ready: stopping"),
  /** Reads and deletes are still served. */
  READ_ONLY("not ready: read-only, as the disk is full"),
  /** This server of a cluster may serve no cells, because of its lease, its clock or Cassandra. */
  NO_LEASE("not ready: serves no cells"),
  /** A critical alarm is raised. */
  ALARMED("not ready");

  private final String text;

  Readiness(String text) {
    this.text = text;
  }

  /** The text for load balancers. */
  public String text() {
    return text;
  }
}
