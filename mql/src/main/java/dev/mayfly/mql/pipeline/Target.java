package dev.mayfly.mql.pipeline;

/** The name of a collection or view, and of the database it is in. */
public record Target(String database, String collection) {
  /** The name that stands for this one in a pipeline that runs in the given database. */
  Target in(String surrounding) {
    return database.isEmpty() ? new Target(surrounding, collection) : this;
  }

  /** A name in whatever database the pipeline runs in. */
  public static Target here(String collection) {
    return new Target("", collection);
  }

  @Override
  public String toString() {
    return database + "." + collection;
  }
}
