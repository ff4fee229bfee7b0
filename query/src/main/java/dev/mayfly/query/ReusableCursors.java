package dev.mayfly.query;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Moves reusable cursors. */
final class ReusableCursors {
  private static final VarHandle INT32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private ReusableCursors() {}

  static Fields fresh() {
    return Document.EMPTY.fields();
  }

  static Fields[] fresh(int count) {
    Fields[] cursors = new Fields[count];
    for (int i = 0; i < count; i++) {
      cursors[i] = fresh();
    }
    return cursors;
  }

  /** Moves the cursor to the first field with this name; returns false if there is none. */
  static boolean find(Fields fields, byte[] buffer, int document, byte[] utf8) {
    fields.reset(buffer, document);
    while (fields.next()) {
      if (fields.named(utf8)) {
        return true;
      }
    }
    return false;
  }

  /** Moves the cursor to the element at this index; returns false if the array is shorter. */
  static boolean find(Fields elements, byte[] buffer, int array, int place) {
    elements.reset(buffer, array);
    for (int i = 0; i <= place; i++) {
      if (!elements.next()) {
        return false;
      }
    }
    return true;
  }

  /** Reads a BSON int32. */
  static int int32(byte[] buffer, int offset) {
    return (int) INT32.get(buffer, offset);
  }
}
