package dev.mayfly.mql.pipeline;

/** Name of a collection or view, with its database. */
public record Target(String database, String collection) {
  /** Returns the full name for a pipeline that runs in the given database. */
  Target in(String surrounding) {
    return database.isEmpty() ? new Target(surrounding, collection) : this;
  }

  /** Returns a name in the database of the pipeline. */
  public static Target here(String collection) {
    return new Target("", collection);
  }

  @Override
  public String toString() {
    return database + "." + collection;
  }
}
