package dev.mayfly.query.sort;

import dev.mayfly.value.Document;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Sorted run: a temporary file of keys and documents, written once, read many times. */
public final class SortedRun {
  private static final int BUFFER_BYTES = 64 << 10;
  private static final int END = -1;

  private final Path file;

  private SortedRun(Path file) {
    this.file = file;
  }

  /** Writes a run; deletes the file if it is closed before it is finished. */
  public static final class Writer implements AutoCloseable {
    private final Path file;
    private final DataOutputStream out;
    private boolean finished;

    public Writer(Workspace workspace) {
      file = workspace.newFile();
      try {
        OutputStream plain = Files.newOutputStream(file);
        out = new DataOutputStream(new BufferedOutputStream(plain, BUFFER_BYTES));
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write a run", e);
      }
    }

    public void write(byte[] key, Document document) {
      try {
        out.writeInt(key.length);
        out.write(key);
        out.write(document.buffer(), document.offset(), document.length());
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write a run", e);
      }
    }

    public SortedRun finish() {
      try (out) {
        out.writeInt(END);
      } catch (IOException e) {
        throw new UncheckedIOException("cannot write a run", e);
      }
      finished = true;
      return new SortedRun(file);
    }

    @Override
    public void close() {
      if (finished) {
        return;
      }
      try (out) {
        new SortedRun(file).delete();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close a run", e);
      }
    }
  }

  /** Reads a run. */
  public static final class Reader implements AutoCloseable {
    private final DataInputStream in;
    private byte[] key = new byte[0];
    private Document document = Document.EMPTY;
    private boolean ended;

    private Reader(DataInputStream in) {
      this.in = in;
    }

    public boolean next() {
      if (ended) {
        return false;
      }
      try {
        int length = in.readInt();
        if (length == END) {
          ended = true;
          return false;
        }
        key = in.readNBytes(length);
        document = readDocument();
        return true;
      } catch (IOException e) {
        throw new UncheckedIOException("cannot read a run", e);
      }
    }

    private Document readDocument() throws IOException {
      // BSON begins with its length, lowest byte first.
      int length = Integer.reverseBytes(in.readInt());
      byte[] bytes = new byte[length];
      bytes[0] = (byte) length;
      bytes[1] = (byte) (length >> 8);
      bytes[2] = (byte) (length >> 16);
      bytes[3] = (byte) (length >> 24);
      in.readFully(bytes, 4, length - 4);
      return Document.trusted(bytes);
    }

    byte[] key() {
      return key;
    }

    public Document document() {
      return document;
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot close a run", e);
      }
    }
  }

  public Reader read() {
    try {
      return new Reader(
          new DataInputStream(new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read a run", e);
    }
  }

  public void delete() {
    try {
      Files.deleteIfExists(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete a run", e);
    }
  }
}
