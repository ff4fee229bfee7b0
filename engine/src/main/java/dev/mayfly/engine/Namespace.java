package dev.mayfly.engine;

/** Namespace: the full name of a collection. */
public record Namespace(String database, String collection) {
  public Namespace {
    if (database.isEmpty() || collection.isEmpty()) {
      throw new EngineException(
          EngineException.Reason.BAD_SPEC, "a namespace needs a database and a collection name");
    }
  }

  @Override
  public String toString() {
    return database + "." + collection;
  }
}
