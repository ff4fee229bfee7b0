package dev.mayfly.engine.shard;

import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.expiry.Header;
import java.util.Arrays;

/**
 * Encoding of the values of index and lane entries: a header, then the data that the key does not
 * contain.
 */
public final class IndexEntryValues {
  private IndexEntryValues() {}

  /** The value of an index entry. */
  public static byte[] value(IndexState index, PrimaryKey key, byte[] header, int headerLength) {
    if (index.spec().unique()) {
      byte[] value = Arrays.copyOf(header, headerLength + key.bytes().length);
      System.arraycopy(key.bytes(), 0, value, headerLength, key.bytes().length);
      return value;
    }
    byte[] value = Arrays.copyOf(header, headerLength + 2);
    value[headerLength] = (byte) (key.bytes().length >> 8);
    value[headerLength + 1] = (byte) key.bytes().length;
    return value;
  }

  /** The primary key of the document that holds a unique entry. */
  public static byte[] uniqueHolder(byte[] value) {
    return Arrays.copyOfRange(value, Header.length(value, 0), value.length);
  }

  /** The primary key of the document of an entry. */
  public static byte[] primaryKey(boolean unique, byte[] entryKey, byte[] value) {
    if (unique) {
      return uniqueHolder(value);
    }
    int at = Header.length(value, 0);
    int length = (value[at] & 0xFF) << 8 | (value[at + 1] & 0xFF);
    return Arrays.copyOfRange(entryKey, entryKey.length - length, entryKey.length);
  }

  /** The value of a lane entry: header of the record, size of the document, exact key values. */
  public static byte[] lane(byte[] record, int documentBytes, byte[] spelled) {
    int headerLength = Header.length(record, 0);
    int sizeLength = varintLength(documentBytes);
    byte[] value = Arrays.copyOf(record, headerLength + sizeLength + spelled.length);
    int at = headerLength;
    int rest = documentBytes;
    while (rest > 0x7F) {
      value[at++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    value[at++] = (byte) rest;
    System.arraycopy(spelled, 0, value, at, spelled.length);
    return value;
  }

  private static int varintLength(int value) {
    return Math.max((38 - Integer.numberOfLeadingZeros(value)) / 7, 1);
  }
}
