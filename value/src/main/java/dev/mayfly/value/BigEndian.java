package dev.mayfly.value;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Big-endian numbers in keys: highest byte first, so that byte order is number order. */
final class BigEndian {
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  static int uint16(byte[] buffer, int offset) {
    return (short) SHORT.get(buffer, offset) & 0xFFFF;
  }

  static int int32(byte[] buffer, int offset) {
    return (int) INT.get(buffer, offset);
  }

  static long int64(byte[] buffer, int offset) {
    return (long) LONG.get(buffer, offset);
  }

  static void uint16(byte[] buffer, int offset, int value) {
    SHORT.set(buffer, offset, (short) value);
  }

  static void int32(byte[] buffer, int offset, int value) {
    INT.set(buffer, offset, value);
  }

  static void int64(byte[] buffer, int offset, long value) {
    LONG.set(buffer, offset, value);
  }
}
