package dev.mayfly.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Reader of a file of documents: JSON, one per line or all in one array, or BSON if the name ends
 * with {@code .bson}. The file may be compressed with gzip. Offsets count uncompressed bytes.
 */
final class ImportFile implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;
  private static final int MIN_BSON = 5;
  private static final int MAX_BSON = 64 << 20;

  private final InputStream bytes;
  private final boolean array;
  private final boolean bson;
  private long position;

  private ImportFile(InputStream bytes, boolean array, boolean bson) {
    this.bytes = bytes;
    this.array = array;
    this.bson = bson;
  }

  /** Returns whether a file contains BSON, by its name. */
  static boolean isBson(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".bson") || name.endsWith(".bson.gz");
  }

  /** Opens a file at a byte offset. */
  static ImportFile open(Path file, long offset) throws IOException {
    boolean bson = isBson(file);
    boolean array;
    try (ImportFile start = new ImportFile(stream(file), true, bson)) {
      array = !bson && start.skipBlanks() == '[';
    }
    ImportFile opened = new ImportFile(stream(file), array, bson);
    opened.bytes.skipNBytes(offset);
    opened.position = offset;
    return opened;
  }

  private static InputStream stream(Path file) throws IOException {
    BufferedInputStream stored = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
    stored.mark(2);
    boolean gzip = stored.read() == 0x1F && stored.read() == 0x8B;
    stored.reset();
    return gzip
        ? new BufferedInputStream(new GZIPInputStream(stored, BUFFER_BYTES), BUFFER_BYTES)
        : stored;
  }

  /** Current byte offset. */
  long position() {
    return position;
  }

  /** Returns the next document as text or BSON, or an empty line; null at the end. */
  byte @Nullable [] next() throws IOException {
    if (bson) {
      return document();
    }
    return array ? element() : line();
  }

  private byte @Nullable [] document() throws IOException {
    byte[] length = bytes.readNBytes(Integer.BYTES);
    if (length.length == 0) {
      return null;
    }
    int size = length.length < Integer.BYTES ? 0 : littleEndian(length);
    if (size < MIN_BSON || size > MAX_BSON) {
      throw new IOException("not BSON at byte " + position);
    }
    byte[] document = Arrays.copyOf(length, size);
    int read = bytes.readNBytes(document, Integer.BYTES, size - Integer.BYTES);
    if (read < size - Integer.BYTES) {
      throw new IOException("the document at byte " + position + " is incomplete");
    }
    position += size;
    return document;
  }

  private static int littleEndian(byte[] length) {
    return ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt();
  }

  private int read() throws IOException {
    int next = bytes.read();
    position += next < 0 ? 0 : 1;
    return next;
  }

  private int skipBlanks() throws IOException {
    int next = read();
    while (next >= 0 && Character.isWhitespace(next)) {
      next = read();
    }
    return next;
  }

  /** Returns the next line without its terminator. */
  private byte @Nullable [] line() throws IOException {
    int next = read();
    if (next < 0) {
      return null;
    }
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    while (next >= 0 && next != '\n') {
      line.write(next);
      next = read();
    }
    return line.toByteArray();
  }

  /** Returns the text from the next opening brace to the matching closing brace. */
  private byte @Nullable [] element() throws IOException {
    int next = skipBlanks();
    while (next == '[' || next == ',' || next == ']') {
      next = skipBlanks();
    }
    if (next < 0) {
      return null;
    }
    ByteArrayOutputStream element = new ByteArrayOutputStream();
    int depth = 0;
    boolean quoted = false;
    boolean escaped = false;
    while (next >= 0) {
      element.write(next);
      if (quoted) {
        quoted = escaped || next != '"';
        escaped = !escaped && next == '\\';
      } else if (next == '"') {
        quoted = true;
      } else if (next == '{') {
        depth++;
      } else if (next == '}') {
        depth--;
      }
      if (depth == 0 && !quoted) {
        return element.toByteArray();
      }
      next = read();
    }
    return element.toByteArray();
  }

  @Override
  public void close() throws IOException {
    bytes.close();
  }
}
