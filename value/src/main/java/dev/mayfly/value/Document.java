package dev.mayfly.value;

import java.util.Arrays;
import java.util.Objects;

/**
 * Immutable BSON document: a slice of a byte array that never changes.
 *
 * <p>Safe for many threads. Documents are equal if their bytes are.
 *
 * <pre>{@code
 * Document thing = Document.writer().put("_id", 1).put("name", "chair").build();
 * String name = thing.field("name").asString();
 * }</pre>
 */
public final class Document {
  /** The document without fields. */
  public static final Document EMPTY = new Document(new byte[] {5, 0, 0, 0, 0}, 0);

  private final byte[] buffer;
  private final int offset;

  private Document(byte[] buffer, int offset) {
    this.buffer = buffer;
    this.offset = offset;
  }

  /**
   * Returns the document of exactly these bytes, after checking its whole structure.
   *
   * <p>The array is kept, not copied. Works without recursion, in one pass.
   *
   * @throws ValueException MALFORMED, TOO_LARGE or TOO_DEEP
   */
  public static Document of(byte[] bytes, Limits limits) {
    new Structure(bytes, limits).check(0, bytes.length);
    return new Document(bytes, 0);
  }

  /**
   * Returns the document that starts at the offset and ends at or before {@code end}, after
   * checking it.
   *
   * @throws ValueException MALFORMED, TOO_LARGE or TOO_DEEP
   */
  public static Document of(byte[] buffer, int offset, int end, Limits limits) {
    Objects.checkFromToIndex(offset, end, buffer.length);
    Structure structure = new Structure(buffer, limits);
    structure.check(offset, structure.end(offset, end));
    return new Document(buffer, offset);
  }

  /** Returns a document over bytes that were checked before: neither copied nor checked. */
  public static Document trusted(byte[] bytes) {
    return new Document(bytes, 0);
  }

  /**
   * Returns a document inside a buffer that was checked before; its length is in its first four
   * bytes.
   */
  public static Document trusted(byte[] buffer, int offset) {
    return new Document(buffer, offset);
  }

  /** Returns an empty writer. */
  public static DocumentWriter writer() {
    return new DocumentWriter(0);
  }

  /**
   * Returns a writer for a document that may exceed the usual size, for callers that shorten it
   * before it is sent or stored.
   *
   * @param most maximum size in bytes
   */
  public static DocumentWriter largeWriter(int most) {
    return new DocumentWriter(0, 0, most);
  }

  /** Returns an empty writer that reserves bytes before the document for its user to fill. */
  public static DocumentWriter writerBehind(int reserved) {
    return new DocumentWriter(reserved);
  }

  /** Returns the array that contains this document, and possibly more; it must not be changed. */
  public byte[] buffer() {
    return buffer;
  }

  /** Returns the offset of this document in the buffer. */
  public int offset() {
    return offset;
  }

  /** Returns the size of this document in bytes. */
  public int length() {
    return LittleEndian.int32(buffer, offset);
  }

  /** Returns exactly the bytes of this document: the buffer itself if it contains nothing else. */
  public byte[] bytes() {
    int length = length();
    return offset == 0 && length == buffer.length
        ? buffer
        : Arrays.copyOfRange(buffer, offset, offset + length);
  }

  /** Returns whether there are no fields. */
  public boolean isEmpty() {
    return buffer[offset + 4] == 0;
  }

  /** Returns the first field with this name, or {@link Value#MISSING}. */
  public Value field(String name) {
    Fields fields = fields();
    return fields.find(name) ? fields.value() : Value.MISSING;
  }

  /** Returns the first field with this name in UTF-8, or {@link Value#MISSING}. */
  public Value field(byte[] utf8) {
    Fields fields = fields();
    return fields.find(utf8) ? fields.value() : Value.MISSING;
  }

  /**
   * Returns the value at the path, or {@link Value#MISSING}.
   *
   * <p>Steps are taken literally: a name leads into an object, a number into an array, and arrays
   * are not traversed.
   */
  public Value at(FieldPath path) {
    Fields fields = fields();
    boolean array = false;
    for (int i = 0; i < path.length(); i++) {
      if (i > 0) {
        fields.reset(buffer, fields.valueOffset());
      }
      boolean found =
          array ? path.index(i) >= 0 && fields.find(path.index(i)) : fields.find(path.stepUtf8(i));
      if (!found) {
        return Value.MISSING;
      }
      array = fields.type() == Type.ARRAY;
      if (!array && fields.type() != Type.OBJECT && i + 1 < path.length()) {
        return Value.MISSING;
      }
    }
    return path.length() == 0 ? Value.of(this) : fields.value();
  }

  /** Returns a cursor before the first field. */
  public Fields fields() {
    return new Fields(buffer, offset);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Document that
        && Arrays.equals(
            buffer,
            offset,
            offset + length(),
            that.buffer,
            that.offset,
            that.offset + that.length());
  }

  @Override
  public int hashCode() {
    return Bytes.hash(buffer, offset, length());
  }

  /** Relaxed Extended JSON. */
  @Override
  public String toString() {
    return ExtendedJson.relaxed(this);
  }
}
