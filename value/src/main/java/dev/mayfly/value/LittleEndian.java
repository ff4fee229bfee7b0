package dev.mayfly.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian numbers in BSON: lowest byte first, at any alignment. */
final class LittleEndian {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final ValueLayout.OfInt INT_ANYWHERE =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong LONG_ANYWHERE =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private LittleEndian() {}

  static int int32(byte[] buffer, int offset) {
    return (int) INT.get(buffer, offset);
  }

  static int int32(MemorySegment memory, long offset) {
    return memory.get(INT_ANYWHERE, offset);
  }

  static long int64(MemorySegment memory, long offset) {
    return memory.get(LONG_ANYWHERE, offset);
  }

  static long int64(byte[] buffer, int offset) {
    return (long) LONG.get(buffer, offset);
  }

  static double float64(byte[] buffer, int offset) {
    return Double.longBitsToDouble((long) LONG.get(buffer, offset));
  }

  static void int32(byte[] buffer, int offset, int value) {
    INT.set(buffer, offset, value);
  }

  static void int64(byte[] buffer, int offset, long value) {
    LONG.set(buffer, offset, value);
  }
}
