package dev.mayfly.mongo.wire;

import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.snappy.SnappyCompressor;
import io.airlift.compress.v3.snappy.SnappyDecompressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** A way to make messages smaller, by the number and the name the protocol has for it. */
public enum Compressor {
  NOOP(0, "noop") {
    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      System.arraycopy(source, from, target, to, length);
      return length;
    }

    @Override
    int expand(byte[] source, int from, int length, byte[] target, int to) {
      if (length > target.length - to) {
        throw new WireException("a message is longer than it says");
      }
      System.arraycopy(source, from, target, to, length);
      return length;
    }
  },
  SNAPPY(1, "snappy") {
    @Override
    int mostBytes(int length) {
      return SnappyCompressor.create().maxCompressedLength(length);
    }

    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      return SnappyCompressor.create()
          .compress(source, from, length, target, to, target.length - to);
    }

    @Override
    int expand(byte[] source, int from, int length, byte[] target, int to) {
      return SnappyDecompressor.create()
          .decompress(source, from, length, target, to, target.length - to);
    }
  },
  ZLIB(2, "zlib") {
    @Override
    int mostBytes(int length) {
      // What zlib's own compressBound says for its default settings.
      return length + (length >> 12) + (length >> 14) + (length >> 25) + 13;
    }

    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      try (Deflater deflater = new Deflater(ZLIB_LEVEL)) {
        deflater.setInput(source, from, length);
        deflater.finish();
        return deflater.deflate(target, to, target.length - to);
      }
    }

    @Override
    int expand(byte[] source, int from, int length, byte[] target, int to) {
      try (Inflater inflater = new Inflater()) {
        inflater.setInput(source, from, length);
        int filled = to;
        while (filled < target.length && !inflater.finished()) {
          int more = inflater.inflate(target, filled, target.length - filled);
          if (more == 0) {
            break;
          }
          filled += more;
        }
        return filled - to;
      } catch (DataFormatException broken) {
        throw new WireException("a message cannot be inflated", broken);
      }
    }
  },
  ZSTD(3, "zstd") {
    @Override
    int mostBytes(int length) {
      return ZstdCompressor.create().maxCompressedLength(length);
    }

    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      return ZstdCompressor.create().compress(source, from, length, target, to, target.length - to);
    }

    @Override
    int expand(byte[] source, int from, int length, byte[] target, int to) {
      return ZstdDecompressor.create()
          .decompress(source, from, length, target, to, target.length - to);
    }
  };

  /** Replies are made once and read once: little effort pays most. */
  private static final int ZLIB_LEVEL = 1;

  private final int number;
  private final String label;

  Compressor(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** What it is called on the wire. */
  int number() {
    return number;
  }

  /** What drivers call it. */
  public String label() {
    return label;
  }

  /** The compressor with that number on the wire. */
  static Compressor numbered(int number) {
    return Arrays.stream(values())
        .filter(candidate -> candidate.number == number)
        .findFirst()
        .orElseThrow(() -> new WireException("no such compressor: " + number));
  }

  /** How long the result can get at most. */
  int mostBytes(int length) {
    return length;
  }

  /** Compresses into the target and returns the length of the result. */
  abstract int compress(byte[] source, int from, int length, byte[] target, int to);

  /** Undoes it, filling the target at most, and returns how many bytes came out. */
  abstract int expand(byte[] source, int from, int length, byte[] target, int to);

  /**
   * Undoes it and fills the target exactly.
   *
   * @throws WireException when it does not
   */
  final void fill(byte[] source, int from, byte[] target, int to) {
    int filled;
    try {
      filled = expand(source, from, source.length - from, target, to);
    } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new WireException("a compressed message is broken", e);
    }
    if (filled != target.length - to) {
      throw new WireException("a compressed message has another length than it says");
    }
  }
}
