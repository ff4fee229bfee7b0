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

/**
 * Compressor of OP_COMPRESSED messages, with its id and name in the protocol. Safe for many
 * threads.
 */
public enum Compressor {
  NOOP(0, "noop") {
    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      System.arraycopy(source, from, target, to, length);
      return length;
    }

    @Override
    int decompress(byte[] source, int from, int length, byte[] target, int to) {
      if (length > target.length - to) {
        throw new WireException("compressed message is longer than its uncompressed size");
      }
      System.arraycopy(source, from, target, to, length);
      return length;
    }
  },
  SNAPPY(1, "snappy") {
    @Override
    int maxCompressedLength(int length) {
      return SnappyCompressor.create().maxCompressedLength(length);
    }

    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      return SnappyCompressor.create()
          .compress(source, from, length, target, to, target.length - to);
    }

    @Override
    int decompress(byte[] source, int from, int length, byte[] target, int to) {
      return SnappyDecompressor.create()
          .decompress(source, from, length, target, to, target.length - to);
    }
  },
  ZLIB(2, "zlib") {
    @Override
    int maxCompressedLength(int length) {
      // as compressBound of zlib for its default settings
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
    int decompress(byte[] source, int from, int length, byte[] target, int to) {
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
        throw new WireException("invalid zlib data in compressed message", broken);
      }
    }
  },
  ZSTD(3, "zstd") {
    @Override
    int maxCompressedLength(int length) {
      return ZstdCompressor.create().maxCompressedLength(length);
    }

    @Override
    int compress(byte[] source, int from, int length, byte[] target, int to) {
      return ZstdCompressor.create().compress(source, from, length, target, to, target.length - to);
    }

    @Override
    int decompress(byte[] source, int from, int length, byte[] target, int to) {
      return ZstdDecompressor.create()
          .decompress(source, from, length, target, to, target.length - to);
    }
  };

  /** The fastest level: a reply is compressed once and read once. */
  private static final int ZLIB_LEVEL = 1;

  private final int number;
  private final String label;

  Compressor(int number, String label) {
    this.number = number;
    this.label = label;
  }

  /** The compressor id on the wire. */
  int number() {
    return number;
  }

  /** The name in the handshake. */
  public String label() {
    return label;
  }

  /** The compressor with that id. */
  static Compressor ofId(int number) {
    return Arrays.stream(values())
        .filter(candidate -> candidate.number == number)
        .findFirst()
        .orElseThrow(() -> new WireException("unknown compressor id: " + number));
  }

  /** The maximum compressed length. */
  int maxCompressedLength(int length) {
    return length;
  }

  /** Compresses into the target and returns the length of the result. */
  abstract int compress(byte[] source, int from, int length, byte[] target, int to);

  /** Decompresses into the target and returns the number of bytes written. */
  abstract int decompress(byte[] source, int from, int length, byte[] target, int to);

  /**
   * Decompresses so that the target is filled exactly.
   *
   * @throws WireException if the data is invalid or has another length
   */
  final void fill(byte[] source, int from, byte[] target, int to) {
    int filled;
    try {
      filled = decompress(source, from, source.length - from, target, to);
    } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw new WireException("invalid data in compressed message", e);
    }
    if (filled != target.length - to) {
      throw new WireException("compressed message differs from its uncompressed size");
    }
  }
}
