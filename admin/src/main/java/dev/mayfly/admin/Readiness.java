package dev.mayfly.admin;

/** Whether clients should be sent to a server, and if not, why. */
public enum Readiness {
  READY("ready"),
  /** Requests in progress may finish; new clients should go elsewhere. */
  DRAINING("not ready: stopping"),
  /** Reads and deletes go on. */
  READ_ONLY("not ready: read-only, as the disk is full"),
  /** A critical alarm is raised. */
  ALARMED("not ready");

  private final String text;

  Readiness(String text) {
    this.text = text;
  }

  String text() {
    return text;
  }
}
