package dev.mayfly.engine.storage;

import dev.mayfly.expiry.Header;

/** Reads the value of a lane entry: header, document size, spelled key. */
public final class LaneEntry {
  private LaneEntry() {}

  /** The size in bytes of the document. */
  public static long documentBytes(byte[] entry) {
    return new ByteCursor(entry, Header.length(entry, 0)).varint();
  }

  /** The spelled document key, empty when the primary key can be read back exactly. */
  public static byte[] spelled(byte[] entry) {
    ByteCursor cursor = new ByteCursor(entry, Header.length(entry, 0));
    cursor.varint();
    return cursor.rest();
  }
}
