package dev.mayfly.engine;

/** The full name of a collection. */
public record Namespace(String database, String collection) {
  public Namespace {
    if (database.isEmpty() || collection.isEmpty()) {
      throw new EngineException(EngineException.Reason.BAD_SPEC, "a namespace has two names");
    }
  }

  @Override
  public String toString() {
    return database + "." + collection;
  }
}
