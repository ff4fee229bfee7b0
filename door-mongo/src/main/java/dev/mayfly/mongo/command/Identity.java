package dev.mayfly.mongo.command;

/** Who a client has proved to be: a user of a database. */
public record Identity(String database, String user) {
  @Override
  public String toString() {
    return user + "@" + database;
  }
}
