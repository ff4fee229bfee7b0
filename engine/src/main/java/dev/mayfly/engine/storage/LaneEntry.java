package dev.mayfly.engine.storage;

import dev.mayfly.expiry.Header;

/** Decoder of the value of a lane entry: header, document size, key with exact types. */
public final class LaneEntry {
  private LaneEntry() {}

  /** The size in bytes of the document. */
  public static long documentBytes(byte[] entry) {
    return new ByteCursor(entry, Header.length(entry, 0)).varint();
  }

  /** The key with exact types; empty if the primary key can be decoded exactly. */
  public static byte[] spelled(byte[] entry) {
    ByteCursor cursor = new ByteCursor(entry, Header.length(entry, 0));
    cursor.varint();
    return cursor.rest();
  }
}
