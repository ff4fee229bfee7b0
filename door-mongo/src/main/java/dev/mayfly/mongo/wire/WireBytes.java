package dev.mayfly.mongo.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Little-endian integers in byte arrays, at any alignment. */
final class WireBytes {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private WireBytes() {}

  static int int32(byte[] buffer, int offset) {
    return (int) INT.get(buffer, offset);
  }

  static void int32(byte[] buffer, int offset, int value) {
    INT.set(buffer, offset, value);
  }
}
