package dev.mayfly.cli;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Reader of a file of JSON documents: one per line, or all in one array. */
final class ImportFile implements Closeable {
  private static final int BUFFER_BYTES = 1 << 16;

  private final InputStream bytes;
  private final boolean array;
  private long position;

  private ImportFile(InputStream bytes, boolean array) {
    this.bytes = bytes;
    this.array = array;
  }

  /** Opens a file at a byte offset. */
  static ImportFile open(Path file, long offset) throws IOException {
    boolean array;
    try (ImportFile start = new ImportFile(stream(file), true)) {
      array = start.skipBlanks() == '[';
    }
    ImportFile opened = new ImportFile(stream(file), array);
    opened.bytes.skipNBytes(offset);
    opened.position = offset;
    return opened;
  }

  private static InputStream stream(Path file) throws IOException {
    return new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES);
  }

  /** Current byte offset. */
  long position() {
    return position;
  }

  /** Returns the next document, or an empty line; null at the end. */
  byte @Nullable [] next() throws IOException {
    return array ? element() : line();
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
