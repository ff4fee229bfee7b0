package dev.mayfly.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** UTF-8 text in BSON, compared and checked in place. Stateless. */
final class Utf8 {
  private static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;

  private Utf8() {}

  /** Returns whether none of eight bytes is a quote, a backslash or a control character. */
  static boolean isPlain(long word) {
    long quotes = word ^ '"' * LOW_BITS;
    long backslashes = word ^ '\\' * LOW_BITS;
    long special =
        ((quotes - LOW_BITS) & ~quotes)
            | ((backslashes - LOW_BITS) & ~backslashes)
            | ((word - ' ' * LOW_BITS) & ~word);
    return (special & HIGH_BITS) == 0;
  }

  static String string(byte[] buffer, int offset, int length) {
    return new String(buffer, offset, length, StandardCharsets.UTF_8);
  }

  static byte[] bytes(String text) {
    byte[] bytes = new byte[length(text)];
    write(text, bytes, 0);
    return bytes;
  }

  /** Returns the end of the text at an offset: the position of its NUL. */
  static int end(byte[] buffer, int offset) {
    int at = offset;
    for (; at + 8 <= buffer.length; at += 8) {
      long zeros = zeros(LittleEndian.int64(buffer, at));
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    while (buffer[at] != 0) {
      at++;
    }
    return at;
  }

  /** As {@link #end(byte[], int)}, for a text in native memory. */
  static long end(MemorySegment memory, long offset) {
    long at = offset;
    for (; at + 8 <= memory.byteSize(); at += 8) {
      long zeros = zeros(LittleEndian.int64(memory, at));
      if (zeros != 0) {
        return at + (Long.numberOfTrailingZeros(zeros) >>> 3);
      }
    }
    while (memory.get(ValueLayout.JAVA_BYTE, at) != 0) {
      at++;
    }
    return at;
  }

  /** Returns a bit for each zero byte; bits above the first one are not meaningful. */
  private static long zeros(long word) {
    return (word - LOW_BITS) & ~word & HIGH_BITS;
  }

  /** Returns whether the bytes are the UTF-8 form of the text. */
  static boolean matches(String text, byte[] buffer, int offset, int length) {
    if (text.length() > length) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        return matchesWide(text, buffer, offset, length);
      }
      if (buffer[offset + i] != c) {
        return false;
      }
    }
    return text.length() == length;
  }

  private static boolean matchesWide(String text, byte[] buffer, int offset, int length) {
    byte[] wanted = bytes(text);
    return Arrays.equals(wanted, 0, wanted.length, buffer, offset, offset + length);
  }

  /** Returns the number of bytes that {@link #write} writes for the text. */
  static int length(String text) {
    int length = text.length();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c >= 0x80) {
        // A pair is two chars and four bytes, so it adds as much as one char of three bytes.
        length += c < 0x800 ? 1 : 2;
        i += isPair(text, i) ? 1 : 0;
      }
    }
    return length;
  }

  /**
   * Writes the text and returns the offset after it. Half of a surrogate pair, which UTF-8 cannot
   * express, becomes U+FFFD.
   */
  static int write(String text, byte[] buffer, int offset) {
    int at = offset;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < 0x80) {
        buffer[at++] = (byte) c;
      } else if (isPair(text, i)) {
        at = writePair(Character.toCodePoint(c, text.charAt(++i)), buffer, at);
      } else {
        at = writeWide(Character.isSurrogate(c) ? '\uFFFD' : c, buffer, at);
      }
    }
    return at;
  }

  /** Writes characters of one byte each; returns false if there are others. */
  static boolean writePlain(char[] source, int from, int count, byte[] buffer, int offset) {
    int all = 0;
    for (int i = 0; i < count; i++) {
      char c = source[from + i];
      all |= c;
      buffer[offset + i] = (byte) c;
    }
    return all < 0x80;
  }

  private static boolean isPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }

  private static int writeWide(char c, byte[] buffer, int offset) {
    if (c < 0x800) {
      buffer[offset] = (byte) (0xC0 | c >> 6);
      buffer[offset + 1] = (byte) (0x80 | (c & 0x3F));
      return offset + 2;
    }
    buffer[offset] = (byte) (0xE0 | c >> 12);
    buffer[offset + 1] = (byte) (0x80 | (c >> 6 & 0x3F));
    buffer[offset + 2] = (byte) (0x80 | (c & 0x3F));
    return offset + 3;
  }

  private static int writePair(int point, byte[] buffer, int offset) {
    buffer[offset] = (byte) (0xF0 | point >> 18);
    buffer[offset + 1] = (byte) (0x80 | (point >> 12 & 0x3F));
    buffer[offset + 2] = (byte) (0x80 | (point >> 6 & 0x3F));
    buffer[offset + 3] = (byte) (0x80 | (point & 0x3F));
    return offset + 4;
  }

  /** Returns whether the bytes are UTF-8 by RFC 3629: no overlong sequences, no surrogates. */
  static boolean valid(byte[] buffer, int offset, int end) {
    return firstInvalid(buffer, offset, end) == end;
  }

  /** Returns the offset of the first bytes that are not UTF-8, or the end. */
  static int firstInvalid(byte[] buffer, int offset, int end) {
    int at = offset;
    while (at < end) {
      if (at + 8 <= end && (LittleEndian.int64(buffer, at) & HIGH_BITS) == 0) {
        at += 8;
      } else if (buffer[at] >= 0) {
        at++;
      } else {
        int length = wideLength(buffer, at, end);
        if (length == 0) {
          return at;
        }
        at += length;
      }
    }
    return end;
  }

  /** The length of the well-formed multi-byte sequence at the offset, or 0. */
  private static int wideLength(byte[] buffer, int at, int end) {
    int lead = buffer[at] & 0xFF;
    if (lead < 0xC2 || lead > 0xF4) {
      return 0;
    }
    int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (at + length > end || !secondFits(lead, buffer[at + 1] & 0xFF)) {
      return 0;
    }
    for (int i = 2; i < length; i++) {
      if ((buffer[at + i] & 0xC0) != 0x80) {
        return 0;
      }
    }
    return length;
  }

  private static boolean secondFits(int lead, int second) {
    int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    return second >= low && second <= high;
  }
}
