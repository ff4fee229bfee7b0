package dev.mayfly.engine;

/** Documents and their bytes. */
public record Usage(long documents, long bytes) {
  public static final Usage NONE = new Usage(0, 0);

  public Usage plus(Usage other) {
    return new Usage(documents + other.documents, bytes + other.bytes);
  }

  public Usage minus(Usage other) {
    return new Usage(documents - other.documents, bytes - other.bytes);
  }
}
