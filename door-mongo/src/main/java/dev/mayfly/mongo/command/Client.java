package dev.mayfly.mongo.command;

import dev.mayfly.value.Document;

/**
 * Who is at the other end of a connection, as far as commands want to know. Shared by the thread of
 * the connection and by those who list connections.
 */
public final class Client {
  private final long connection;
  private final String remote;
  private final String local;
  private volatile Document metadata = Document.EMPTY;

  /**
   * A client that has said nothing yet.
   *
   * @param connection a number no other connection of this server has
   * @param remote host and port it speaks from
   * @param local host and port it reached
   */
  public Client(long connection, String remote, String local) {
    this.connection = connection;
    this.remote = remote;
    this.local = local;
  }

  public long connection() {
    return connection;
  }

  public String remote() {
    return remote;
  }

  public String local() {
    return local;
  }

  /** What the driver said of itself in its first hello. */
  public Document metadata() {
    return metadata;
  }

  public void metadata(Document told) {
    metadata = told;
  }
}
