package dev.mayfly.engine;

import dev.mayfly.value.DocumentWriter;

/** Number of documents and their size in bytes. */
public record Usage(long documents, long bytes) {
  public static final Usage NONE = new Usage(0, 0);

  public Usage plus(Usage other) {
    return new Usage(documents + other.documents, bytes + other.bytes);
  }

  public Usage minus(Usage other) {
    return new Usage(documents - other.documents, bytes - other.bytes);
  }

  /**
   * Writes two fields.
   *
   * @param name the name of the field with the number of documents; the other is {@code bytes}
   */
  public void write(DocumentWriter writer, String name) {
    writer.put(name, documents).put("bytes", bytes);
  }
}
