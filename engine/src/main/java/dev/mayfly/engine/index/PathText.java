package dev.mayfly.engine.index;

import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Path as one string, with NUL between the steps, which no field name contains.
 *
 * <p>A mutable buffer: steps are pushed and popped during the traversal of a document. It has the
 * layout of a BSON string, so that a key is written from it without a copy.
 */
final class PathText {
  private static final VarHandle INT32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int START = 4;

  private byte[] buffer = new byte[64];
  private int end = START;

  static PathText of(FieldPath path) {
    PathText text = new PathText();
    for (int i = 0; i < path.length(); i++) {
      byte[] step = path.stepUtf8(i);
      text.push(step, 0, step.length);
    }
    return text;
  }

  /** Adds a step; pass the result to {@link #pop} to remove it. */
  int push(byte[] source, int offset, int length) {
    int mark = end;
    buffer =
        end + length + 2 > buffer.length ? Arrays.copyOf(buffer, 2 * (end + length + 2)) : buffer;
    if (end > START) {
      buffer[end++] = 0;
    }
    System.arraycopy(source, offset, buffer, end, length);
    end += length;
    return mark;
  }

  int push(String step) {
    byte[] utf8 = step.getBytes(StandardCharsets.UTF_8);
    return push(utf8, 0, utf8.length);
  }

  void pop(int mark) {
    end = mark;
  }

  void clear() {
    end = START;
  }

  boolean isRoot() {
    return end == START;
  }

  boolean sameAs(PathText other) {
    return Arrays.equals(buffer, START, end, other.buffer, START, other.end);
  }

  /** Returns whether this is another path or below it. */
  boolean isWithin(PathText other) {
    int length = other.end - START;
    return other.isRoot()
        || (end >= other.end
            && Arrays.equals(buffer, START, START + length, other.buffer, START, other.end)
            && (end == other.end || buffer[other.end] == 0));
  }

  void writeTo(KeyWriter key, Order order) {
    buffer[end] = 0;
    INT32.set(buffer, 0, end - START + 1);
    key.append(Type.STRING, buffer, 0, order);
  }
}
