package dev.mayfly.server;

/** A door cannot listen on its address. */
public final class DoorException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** The doors of a server. */
  public enum Door {
    MONGO,
    COSMOS,
    ADMIN,
    HEALTH
  }

  private final Door door;
  private final String host;
  private final int port;

  DoorException(Door door, String host, int port, Throwable cause) {
    super("cannot listen on " + host + ":" + port, cause);
    this.door = door;
    this.host = host;
    this.port = port;
  }

  public Door door() {
    return door;
  }

  public String host() {
    return host;
  }

  public int port() {
    return port;
  }
}
