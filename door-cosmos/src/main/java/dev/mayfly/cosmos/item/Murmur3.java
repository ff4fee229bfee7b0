package dev.mayfly.cosmos.item;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** MurmurHash3 by Austin Appleby, with seed 0: the 32-bit form and the 128-bit form for x64. */
final class Murmur3 {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int A32 = 0xcc9e2d51;
  private static final int B32 = 0x1b873593;
  private static final long A64 = 0x87c37b91114253d5L;
  private static final long B64 = 0x4cf5ad432745937fL;

  private Murmur3() {}

  static int hash32(byte[] data) {
    int hash = 0;
    int whole = data.length & ~3;
    for (int i = 0; i < whole; i += 4) {
      hash ^= Integer.rotateLeft((int) INT.get(data, i) * A32, 15) * B32;
      hash = Integer.rotateLeft(hash, 13) * 5 + 0xe6546b64;
    }
    int rest = (int) tail(data, whole, data.length);
    hash ^= Integer.rotateLeft(rest * A32, 15) * B32;
    hash ^= data.length;
    hash = (hash ^ hash >>> 16) * 0x85ebca6b;
    hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
    return hash ^ hash >>> 16;
  }

  /** Returns the two halves. */
  static long[] hash128(byte[] data) {
    long first = 0;
    long second = 0;
    int whole = data.length & ~15;
    for (int i = 0; i < whole; i += 16) {
      first ^= mixed((long) LONG.get(data, i), A64, 31, B64);
      first = (Long.rotateLeft(first, 27) + second) * 5 + 0x52dce729;
      second ^= mixed((long) LONG.get(data, i + 8), B64, 33, A64);
      second = (Long.rotateLeft(second, 31) + first) * 5 + 0x38495ab5;
    }
    int middle = Math.min(whole + 8, data.length);
    first ^= mixed(tail(data, whole, middle), A64, 31, B64);
    second ^= mixed(tail(data, middle, data.length), B64, 33, A64);
    first ^= data.length;
    second ^= data.length;
    first += second;
    second += first;
    first = last(first);
    second = last(second);
    first += second;
    second += first;
    return new long[] {first, second};
  }

  private static long mixed(long block, long before, int turn, long after) {
    return Long.rotateLeft(block * before, turn) * after;
  }

  private static long last(long hash) {
    long mixed = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
    mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
    return mixed ^ mixed >>> 33;
  }

  /** Reads at most eight bytes as a little-endian number. */
  private static long tail(byte[] data, int from, int to) {
    long tail = 0;
    for (int i = to - 1; i >= from; i--) {
      tail = (tail << 8) | (data[i] & 0xFF);
    }
    return tail;
  }
}
