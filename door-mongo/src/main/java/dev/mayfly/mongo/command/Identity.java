package dev.mayfly.mongo.command;

/** An authenticated user: authentication database and user name. */
public record Identity(String database, String user) {
  @Override
  public String toString() {
    return user + "@" + database;
  }
}
