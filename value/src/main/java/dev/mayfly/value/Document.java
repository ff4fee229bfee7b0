package dev.mayfly.value;

import java.util.Arrays;
import java.util.Objects;

/**
 * An immutable BSON document: a slice of a byte array that nobody changes any more.
 *
 * <p>Safe for any number of threads. Two documents are equal when their bytes are.
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
   * The document that exactly these bytes are, after checking every byte of its structure.
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
   * The document that starts at the offset and ends at or before {@code end}, after checking it.
   *
   * @throws ValueException MALFORMED, TOO_LARGE or TOO_DEEP
   */
  public static Document of(byte[] buffer, int offset, int end, Limits limits) {
    Objects.checkFromToIndex(offset, end, buffer.length);
    Structure structure = new Structure(buffer, limits);
    structure.check(offset, structure.end(offset, end));
    return new Document(buffer, offset);
  }

  /** A document over bytes that were checked before: neither copied nor looked at. */
  public static Document trusted(byte[] bytes) {
    return new Document(bytes, 0);
  }

  /** A document inside a buffer that was checked before; its length is in its first four bytes. */
  public static Document trusted(byte[] buffer, int offset) {
    return new Document(buffer, offset);
  }

  /** An empty writer. */
  public static DocumentWriter writer() {
    return new DocumentWriter(0);
  }

  /**
   * Starts a document that may be larger than others, for who cuts it before it is sent or stored.
   *
   * @param most how many bytes it may have
   */
  public static DocumentWriter largeWriter(int most) {
    return new DocumentWriter(0, 0, most);
  }

  /** An empty writer that leaves so many bytes in front of the document for its user to fill. */
  public static DocumentWriter writerBehind(int reserved) {
    return new DocumentWriter(reserved);
  }

  /** The array that holds this document, and possibly more; not to be changed. */
  public byte[] buffer() {
    return buffer;
  }

  /** Where in the buffer this document starts. */
  public int offset() {
    return offset;
  }

  /** How many bytes this document has. */
  public int length() {
    return LittleEndian.int32(buffer, offset);
  }

  /** Exactly the bytes of this document: the buffer itself when it holds nothing else. */
  public byte[] bytes() {
    int length = length();
    return offset == 0 && length == buffer.length
        ? buffer
        : Arrays.copyOfRange(buffer, offset, offset + length);
  }

  /** True when there are no fields. */
  public boolean isEmpty() {
    return buffer[offset + 4] == 0;
  }

  /** The first field with this name, or {@link Value#MISSING}. */
  public Value field(String name) {
    Fields fields = fields();
    return fields.find(name) ? fields.value() : Value.MISSING;
  }

  /** The first field with this name in UTF-8, or {@link Value#MISSING}. */
  public Value field(byte[] utf8) {
    Fields fields = fields();
    return fields.find(utf8) ? fields.value() : Value.MISSING;
  }

  /**
   * The value at the end of the path, or {@link Value#MISSING}.
   *
   * <p>Steps are taken literally: a name leads into an object, a number into an array, and nothing
   * fans out over the elements of an array.
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

  /** A cursor before the first field. */
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
