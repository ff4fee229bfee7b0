package dev.mayfly.expiry;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Earliest time at a path of a document, by the rules of a MongoDB TTL index.
 *
 * <p>Only values in one {@link TimeFormat} count: with {@link TimeFormat#DATE} BSON dates, not
 * numbers, timestamps or strings. If the path leads to an array, it continues in every element that
 * is an object, or in one element if the step is a number. If the value is an array, its earliest
 * time counts. Arrays inside of arrays are ignored.
 */
public final class EarliestDate {
  /** The result if there is no time. */
  public static final long NONE = TimeFormat.NONE;

  private final FieldPath path;
  private final TimeFormat format;

  private EarliestDate(FieldPath path, TimeFormat format) {
    this.path = path;
    this.format = format;
  }

  /** Returns the earliest BSON date in epoch milliseconds, or {@link #NONE}. */
  public static long of(FieldPath path, Document document) {
    return at(path, TimeFormat.DATE).of(document);
  }

  /** Returns the reader of a path and format. Immutable, safe for many threads. */
  public static EarliestDate at(FieldPath path, TimeFormat format) {
    return new EarliestDate(path, format);
  }

  /** Returns the earliest time in epoch milliseconds, or {@link #NONE}. */
  public long of(Document document) {
    return inObject(0, document.buffer(), document.offset());
  }

  private long inObject(int first, byte[] buffer, int offset) {
    Fields fields = new Fields(buffer, offset);
    for (int step = first; find(fields, path.stepUtf8(step)); step++) {
      Type type = fields.type();
      int at = fields.valueOffset();
      if (step + 1 == path.length()) {
        return type == Type.ARRAY ? amongElements(buffer, at) : time(type, buffer, at);
      }
      if (type == Type.ARRAY) {
        return inArray(step + 1, buffer, at);
      }
      if (type != Type.OBJECT) {
        return NONE;
      }
      fields.reset(buffer, at);
    }
    return NONE;
  }

  private long inArray(int step, byte[] buffer, int offset) {
    Fields elements = new Fields(buffer, offset);
    int place = path.index(step);
    long earliest = NONE;
    for (int i = 0; elements.next(); i++) {
      Type type = elements.type();
      int at = elements.valueOffset();
      if (i == place) {
        earliest = Math.min(earliest, atPlace(step + 1, type, buffer, at));
      } else if (place < 0 && type == Type.OBJECT) {
        earliest = Math.min(earliest, inObject(step, buffer, at));
      }
    }
    return earliest;
  }

  private long atPlace(int step, Type type, byte[] buffer, int offset) {
    if (step == path.length()) {
      return time(type, buffer, offset);
    }
    return switch (type) {
      case OBJECT -> inObject(step, buffer, offset);
      case ARRAY -> inArray(step, buffer, offset);
      default -> NONE;
    };
  }

  private long amongElements(byte[] buffer, int offset) {
    Fields elements = new Fields(buffer, offset);
    long earliest = NONE;
    while (elements.next()) {
      earliest = Math.min(earliest, time(elements.type(), buffer, elements.valueOffset()));
    }
    return earliest;
  }

  private long time(Type type, byte[] buffer, int offset) {
    return format.accepts(type) ? format.of(Value.view(type, buffer, offset)) : NONE;
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
