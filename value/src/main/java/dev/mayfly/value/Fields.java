package dev.mayfly.value;

import java.util.Arrays;

/**
 * Forward cursor over the elements of one document or array.
 *
 * <p>Call {@link #next()} before each element. Moving allocates nothing. Mutable, for one thread;
 * the bytes must have been checked.
 */
public final class Fields {
  private byte[] buffer;
  private int following;
  private Type type = Type.MISSING;
  private int nameOffset;
  private int valueOffset;

  /** A cursor before the first element of the document at the offset. */
  public Fields(byte[] buffer, int documentOffset) {
    this.buffer = buffer;
    this.following = documentOffset + 4;
  }

  /** Puts this cursor before the first element of another document. */
  public void reset(byte[] buffer, int documentOffset) {
    this.buffer = buffer;
    this.following = documentOffset + 4;
    this.type = Type.MISSING;
  }

  /** Moves to the next element; returns false at the end. */
  public boolean next() {
    int at = following;
    byte code = buffer[at];
    if (code == 0) {
      type = Type.MISSING;
      return false;
    }
    type = Type.orMissing(code);
    nameOffset = at + 1;
    valueOffset = Utf8.end(buffer, at + 1) + 1;
    following = valueOffset + type.length(buffer, valueOffset);
    return true;
  }

  /**
   * Moves forward to the element with a name; returns false if there is none, and is then at the
   * end.
   */
  boolean find(byte[] utf8) {
    while (next()) {
      if (named(utf8)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Moves forward to the element with a name; returns false if there is none, and is then at the
   * end.
   */
  boolean find(String name) {
    while (next()) {
      if (named(name)) {
        return true;
      }
    }
    return false;
  }

  /** Moves past a number of elements to the next one; returns false if there are fewer. */
  boolean find(int index) {
    for (int i = 0; i <= index; i++) {
      if (!next()) {
        return false;
      }
    }
    return true;
  }

  /** The type of the current element; {@link Type#MISSING} before the first and after the last. */
  public Type type() {
    return type;
  }

  /** Returns whether the current element has this name, given as UTF-8. */
  public boolean named(byte[] utf8) {
    return Arrays.equals(utf8, 0, utf8.length, buffer, nameOffset, valueOffset - 1);
  }

  /** Returns whether the current element has this name. */
  public boolean named(String name) {
    return Utf8.matches(name, buffer, nameOffset, nameLength());
  }

  /** The name of the current element. */
  public String name() {
    return Utf8.string(buffer, nameOffset, nameLength());
  }

  /** The offset of the UTF-8 name of the current element. */
  public int nameOffset() {
    return nameOffset;
  }

  /** The length of the name of the current element in bytes, without its terminator. */
  public int nameLength() {
    return valueOffset - 1 - nameOffset;
  }

  /** The offset of the value of the current element. */
  public int valueOffset() {
    return valueOffset;
  }

  /** The length of the value of the current element in bytes. */
  public int valueLength() {
    return following - valueOffset;
  }

  /** The bytes that the offsets refer to. */
  public byte[] buffer() {
    return buffer;
  }

  /** The value of the current element, as a view of the same bytes. */
  public Value value() {
    return Value.view(type, buffer, valueOffset);
  }
}
