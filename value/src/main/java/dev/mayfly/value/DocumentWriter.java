package dev.mayfly.value;

import dev.mayfly.value.ValueException.Reason;
import java.util.Arrays;

/**
 * Writer of one document into a growing buffer.
 *
 * <p>Fields appear in the order of the calls; a name may be written twice, as BSON allows. Mutable,
 * for one thread; after {@link #clear()} it starts a new document in the same buffer.
 *
 * <p>To send documents, reserve room before the document and use the bytes of the buffer itself
 * ({@link #finish()}, {@link #buffer()}), or take a copy of exactly its size ({@link #build()}).
 */
public final class DocumentWriter {
  /** Maximum size of a document, with the fields that a server adds. */
  private static final int MAX_BYTES = (16 << 20) + (16 << 10);

  private static final int USUAL_ROOM = 256;

  private final int reserved;
  private final int most;
  private byte[] buffer;
  private int position;
  private int[] starts = new int[8];
  private int[] counts = new int[8];
  private int depth;

  DocumentWriter(int reserved) {
    this(reserved, USUAL_ROOM);
  }

  /**
   * @param reserved bytes before the document
   * @param room expected size of the document in bytes
   */
  DocumentWriter(int reserved, int room) {
    this(reserved, room, MAX_BYTES);
  }

  /**
   * @param most maximum size of the document in bytes
   */
  DocumentWriter(int reserved, int room, int most) {
    this.reserved = reserved;
    this.most = most;
    this.buffer = new byte[reserved + Math.max(room, USUAL_ROOM)];
    this.position = reserved;
    open();
  }

  /** Discards everything and starts a new document. */
  public DocumentWriter clear() {
    position = reserved;
    depth = 0;
    open();
    return this;
  }

  /** Writes a field, unless the value is missing. */
  public DocumentWriter put(String name, Value value) {
    if (value.isMissing()) {
      return this;
    }
    name(value.type(), name);
    return raw(value);
  }

  public DocumentWriter put(String name, int value) {
    name(Type.INT32, name);
    return int32(value);
  }

  public DocumentWriter put(String name, long value) {
    name(Type.INT64, name);
    return int64(value);
  }

  public DocumentWriter put(String name, double value) {
    name(Type.DOUBLE, name);
    return int64(Double.doubleToRawLongBits(value));
  }

  public DocumentWriter put(String name, boolean value) {
    name(Type.BOOLEAN, name);
    return int8(value ? 1 : 0);
  }

  public DocumentWriter put(String name, String value) {
    name(Type.STRING, name);
    return string(value);
  }

  public DocumentWriter put(String name, Document value) {
    name(Type.OBJECT, name);
    return bytes(value.buffer(), value.offset(), value.length());
  }

  /** Copies the element under the cursor, name and value. */
  public DocumentWriter put(Fields element) {
    int length = element.valueOffset() + element.valueLength() - element.nameOffset();
    counts[depth - 1]++;
    int8(element.type().code());
    return bytes(element.buffer(), element.nameOffset(), length);
  }

  /** Copies all fields of a document. */
  public DocumentWriter putAll(Document document) {
    Fields fields = document.fields();
    while (fields.next()) {
      put(fields);
    }
    return this;
  }

  /** Writes the next element of an array, unless the value is missing. */
  public DocumentWriter add(Value value) {
    if (value.isMissing()) {
      return this;
    }
    index(value.type());
    return raw(value);
  }

  /** Starts a field that is a document; the next calls write into it until {@link #end()}. */
  public DocumentWriter startDocument(String name) {
    name(Type.OBJECT, name);
    return open();
  }

  /** Starts a field that is an array; the next calls write into it until {@link #end()}. */
  public DocumentWriter startArray(String name) {
    name(Type.ARRAY, name);
    return open();
  }

  /** Starts the next element of an array, a document. */
  public DocumentWriter startDocument() {
    index(Type.OBJECT);
    return open();
  }

  /** Starts the next element of an array, an array. */
  public DocumentWriter startArray() {
    index(Type.ARRAY);
    return open();
  }

  /** Ends the document or array that was started last. */
  public DocumentWriter end() {
    if (depth <= 1) {
      throw new IllegalStateException("no document or array was started");
    }
    return close();
  }

  /** Returns the document in an array of exactly its size. Ends this writer until it is cleared. */
  public Document build() {
    finish();
    return Document.trusted(Arrays.copyOfRange(buffer, reserved, position));
  }

  /**
   * Ends the document in place and returns the offset after it in {@link #buffer()}; it starts
   * after the reserved room. Ends this writer until it is cleared.
   */
  public int finish() {
    if (depth != 1) {
      throw new IllegalStateException(
          depth == 0 ? "already built" : "a document or array was not ended");
    }
    close();
    return position;
  }

  /**
   * Returns the bytes written so far, after the reserved room. The next write may replace the
   * array.
   */
  public byte[] buffer() {
    return buffer;
  }

  /** Starts an element of this type; its value must be written next. */
  void name(Type type, String name) {
    int length = Utf8.length(name);
    if (name.indexOf('\0') >= 0) {
      throw new ValueException(Reason.MALFORMED, "a field name cannot hold NUL");
    }
    counts[depth - 1]++;
    reserve(length + 2);
    buffer[position++] = type.code();
    position = Utf8.write(name, buffer, position);
    buffer[position++] = 0;
  }

  /** Starts an array element, with its index as name. */
  void index(Type type) {
    int index = counts[depth - 1]++;
    reserve(13);
    buffer[position++] = type.code();
    int digits = digits(index);
    for (int i = position + digits - 1; i >= position; i--) {
      buffer[i] = (byte) ('0' + index % 10);
      index /= 10;
    }
    position += digits;
    buffer[position++] = 0;
  }

  DocumentWriter int8(int value) {
    reserve(1);
    buffer[position++] = (byte) value;
    return this;
  }

  DocumentWriter int32(int value) {
    reserve(4);
    LittleEndian.int32(buffer, position, value);
    position += 4;
    return this;
  }

  DocumentWriter int64(long value) {
    reserve(8);
    LittleEndian.int64(buffer, position, value);
    position += 8;
    return this;
  }

  DocumentWriter string(String value) {
    int length = Utf8.length(value);
    int32(length + 1);
    reserve(length + 1);
    position = Utf8.write(value, buffer, position);
    buffer[position++] = 0;
    return this;
  }

  DocumentWriter string(char[] source, int offset, int count) {
    int32(count + 1);
    reserve(count + 1);
    if (!Utf8.writePlain(source, offset, count, buffer, position)) {
      position -= Integer.BYTES;
      return string(new String(source, offset, count));
    }
    position += count;
    buffer[position++] = 0;
    return this;
  }

  DocumentWriter bytes(byte[] source, int offset, int length) {
    reserve(length);
    System.arraycopy(source, offset, buffer, position, length);
    position += length;
    return this;
  }

  private DocumentWriter raw(Value value) {
    return bytes(value.buffer(), value.offset(), value.length());
  }

  /** Starts the document or array that is the value of the last element. */
  DocumentWriter open() {
    if (depth == starts.length) {
      starts = Arrays.copyOf(starts, depth * 2);
      counts = Arrays.copyOf(counts, depth * 2);
    }
    starts[depth] = position;
    counts[depth] = 0;
    depth++;
    return int32(0);
  }

  private DocumentWriter close() {
    int8(0);
    int start = starts[--depth];
    LittleEndian.int32(buffer, start, position - start);
    return this;
  }

  private void reserve(int more) {
    if (more > most - (position - reserved)) {
      throw new ValueException(Reason.TOO_LARGE, "document is too large");
    }
    if (more > buffer.length - position) {
      buffer = Arrays.copyOf(buffer, Math.max(position + more, 2 * buffer.length));
    }
  }

  private static int digits(int index) {
    int digits = 1;
    for (int rest = index; rest >= 10; rest /= 10) {
      digits++;
    }
    return digits;
  }
}
