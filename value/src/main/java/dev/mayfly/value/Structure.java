package dev.mayfly.value;

import dev.mayfly.value.ValueException.Reason;
import java.util.Arrays;

/**
 * Validation of untrusted BSON bytes. Readers trust bytes that passed it.
 *
 * <p>One pass from left to right. The ends of open documents are in an array, not on the thread's
 * stack, so depth is bounded by limits alone. Each value must end before the terminator of its
 * document, which keeps every read inside the buffer.
 */
final class Structure {
  private static final int SMALLEST = 5;

  private final byte[] buffer;
  private final Limits limits;
  private int[] ends = new int[8];
  private int depth;

  Structure(byte[] buffer, Limits limits) {
    this.buffer = buffer;
    this.limits = limits;
  }

  /** Returns the end that the document at the offset claims, which is not after the bound. */
  int end(int offset, int bound) {
    require(bound - offset >= SMALLEST, "document is too short", offset);
    int length = LittleEndian.int32(buffer, offset);
    require(length >= SMALLEST && length <= bound - offset, "bad document length", offset);
    return offset + length;
  }

  /** Fails unless there is exactly one well-formed document from the offset to the end. */
  void check(int offset, int end) {
    if (end - offset > limits.maxBytes()) {
      throw new ValueException(Reason.TOO_LARGE, "document is too large", offset);
    }
    int at = open(offset, end);
    require(ends[0] == end, "bytes after the document", ends[0]);
    while (depth > 0) {
      int last = ends[depth - 1] - 1;
      if (buffer[at] == 0) {
        require(at == last, "document ends before its length", at);
        at = ends[--depth];
      } else {
        at = element(at, last);
      }
    }
  }

  /** Enters the document at the offset; returns the offset of its first element. */
  private int open(int offset, int bound) {
    int end = end(offset, bound);
    require(buffer[end - 1] == 0, "document has no terminator", end - 1);
    if (depth == limits.maxDepth()) {
      throw new ValueException(Reason.TOO_DEEP, "document is too deep", offset);
    }
    if (depth == ends.length) {
      ends = Arrays.copyOf(ends, depth * 2);
    }
    ends[depth++] = end;
    return offset + 4;
  }

  /** Checks one element, or only enters it if it is a document; returns the next offset. */
  private int element(int at, int bound) {
    Type type = Type.orMissing(buffer[at]);
    require(type != Type.MISSING, "unknown type", at);
    int value = text(at + 1, bound);
    return switch (type) {
      case MISSING, UNDEFINED, NULL, MIN_KEY, MAX_KEY -> value;
      case BOOLEAN -> bool(value, bound);
      case INT32 -> skip(value, 4, bound);
      case DOUBLE, DATE, TIMESTAMP, INT64 -> skip(value, 8, bound);
      case OBJECT_ID -> skip(value, 12, bound);
      case DECIMAL128 -> skip(value, 16, bound);
      case STRING, CODE, SYMBOL -> string(value, bound);
      case DB_POINTER -> skip(string(value, bound), 12, bound);
      case REGEX -> text(text(value, bound), bound);
      case BINARY -> binary(value, bound);
      case OBJECT, ARRAY -> open(value, bound);
      case CODE_WITH_SCOPE -> codeWithScope(value, bound);
    };
  }

  private int skip(int at, int length, int bound) {
    require(length >= 0 && length <= bound - at, "value ends after its document", at);
    return at + length;
  }

  private int bool(int at, int bound) {
    int end = skip(at, 1, bound);
    require((buffer[at] & 0xFE) == 0, "boolean is neither 0 nor 1", at);
    return end;
  }

  private int text(int at, int bound) {
    int end = at;
    while (end < bound && buffer[end] != 0) {
      end++;
    }
    require(end < bound, "text has no terminator", at);
    require(Utf8.valid(buffer, at, end), "text is not UTF-8", at);
    return end + 1;
  }

  private int string(int at, int bound) {
    int start = skip(at, 4, bound);
    int length = LittleEndian.int32(buffer, at);
    require(length > 0, "bad string length", at);
    int end = skip(start, length, bound);
    require(buffer[end - 1] == 0, "string has no terminator", end - 1);
    require(Utf8.valid(buffer, start, end - 1), "string is not UTF-8", start);
    return end;
  }

  private int binary(int at, int bound) {
    int start = skip(at, 5, bound);
    int length = LittleEndian.int32(buffer, at);
    int end = skip(start, length, bound);
    if (buffer[at + 4] == Value.OLD_BINARY) {
      require(
          length >= 4 && LittleEndian.int32(buffer, start) == length - 4,
          "old binary has a bad inner length",
          start);
    }
    return end;
  }

  private int codeWithScope(int at, int bound) {
    skip(at, 4, bound);
    int end = skip(at, LittleEndian.int32(buffer, at), bound);
    int scope = string(at + 4, end);
    require(end(scope, end) == end, "code with scope has a bad length", at);
    return open(scope, end);
  }

  private static void require(boolean held, String message, int position) {
    if (!held) {
      throw new ValueException(Reason.MALFORMED, message, position);
    }
  }
}
