package dev.mayfly.expiry;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Earliest date at a path of a document, by the rules of a MongoDB TTL index.
 *
 * <p>Only BSON dates count, not numbers, timestamps or strings. If the path leads to an array, it
 * continues in every element that is an object, or in one element if the step is a number. If the
 * value is an array, its earliest date counts. Arrays inside of arrays are ignored.
 */
public final class EarliestDate {
  /** The result if there is no date. */
  public static final long NONE = Long.MAX_VALUE;

  private EarliestDate() {}

  /** Returns the earliest date in epoch milliseconds, or {@link #NONE}. */
  public static long of(FieldPath path, Document document) {
    return inObject(path, 0, document.buffer(), document.offset());
  }

  private static long inObject(FieldPath path, int first, byte[] buffer, int offset) {
    Fields fields = new Fields(buffer, offset);
    for (int step = first; find(fields, path.stepUtf8(step)); step++) {
      Type type = fields.type();
      int at = fields.valueOffset();
      if (step + 1 == path.length()) {
        return type == Type.ARRAY ? amongElements(buffer, at) : date(type, buffer, at);
      }
      if (type == Type.ARRAY) {
        return inArray(path, step + 1, buffer, at);
      }
      if (type != Type.OBJECT) {
        return NONE;
      }
      fields.reset(buffer, at);
    }
    return NONE;
  }

  private static long inArray(FieldPath path, int step, byte[] buffer, int offset) {
    Fields elements = new Fields(buffer, offset);
    int place = path.index(step);
    long earliest = NONE;
    for (int i = 0; elements.next(); i++) {
      Type type = elements.type();
      int at = elements.valueOffset();
      if (i == place) {
        earliest = Math.min(earliest, atPlace(path, step + 1, type, buffer, at));
      } else if (place < 0 && type == Type.OBJECT) {
        earliest = Math.min(earliest, inObject(path, step, buffer, at));
      }
    }
    return earliest;
  }

  private static long atPlace(FieldPath path, int step, Type type, byte[] buffer, int offset) {
    if (step == path.length()) {
      return date(type, buffer, offset);
    }
    return switch (type) {
      case OBJECT -> inObject(path, step, buffer, offset);
      case ARRAY -> inArray(path, step, buffer, offset);
      default -> NONE;
    };
  }

  private static long amongElements(byte[] buffer, int offset) {
    Fields elements = new Fields(buffer, offset);
    long earliest = NONE;
    while (elements.next()) {
      earliest = Math.min(earliest, date(elements.type(), buffer, elements.valueOffset()));
    }
    return earliest;
  }

  private static long date(Type type, byte[] buffer, int offset) {
    return type == Type.DATE ? Value.view(type, buffer, offset).asDate() : NONE;
  }

  private static boolean find(Fields fields, byte[] name) {
    while (fields.next()) {
      if (fields.named(name)) {
        return true;
      }
    }
    return false;
  }
}
