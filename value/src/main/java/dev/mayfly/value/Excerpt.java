package dev.mayfly.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Collection;

/**
 * Copies some fields of documents out of native memory, and nothing else.
 *
 * <p>Of several fields with one name the first is copied, as other readers would find it. Stops at
 * the last wanted field. Reused for many documents, by one thread; the documents must have been
 * checked.
 */
public final class Excerpt {
  private static final int SHORT_BYTES = 64;

  private final byte[][] names;

  /** Start and end of the fields that were found, in the order of the names; 0 for none. */
  private final long[] starts;

  private final long[] ends;

  /** Selects the top-level fields with these names. */
  public Excerpt(Collection<String> names) {
    this.names = names.stream().map(Utf8::bytes).toArray(byte[][]::new);
    this.starts = new long[this.names.length];
    this.ends = new long[this.names.length];
  }

  /**
   * Returns the bytes before a document unchanged, and after them the document with those of the
   * wanted fields that it has.
   *
   * @param at the offset of the document
   */
  public byte[] of(MemorySegment memory, int at) {
    int length = find(memory, at);
    byte[] excerpt = new byte[at + length];
    copy(memory, 0, excerpt, 0, at);
    LittleEndian.int32(excerpt, at, length);
    int to = at + 4;
    for (int i = 0; i < names.length; i++) {
      int size = (int) (ends[i] - starts[i]);
      copy(memory, starts[i], excerpt, to, size);
      to += size;
    }
    return excerpt;
  }

  /** Copies few bytes by words, which is faster than a bulk copy. */
  private static void copy(MemorySegment memory, long from, byte[] excerpt, int to, int size) {
    if (size > SHORT_BYTES) {
      MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, from, excerpt, to, size);
      return;
    }
    int done = 0;
    for (; done + 8 <= size; done += 8) {
      LittleEndian.int64(excerpt, to + done, LittleEndian.int64(memory, from + done));
    }
    for (; done < size; done++) {
      excerpt[to + done] = memory.get(ValueLayout.JAVA_BYTE, from + done);
    }
  }

  /** Finds the wanted fields; returns the size of a document of these alone. */
  private int find(MemorySegment memory, int document) {
    for (int i = 0; i < names.length; i++) {
      starts[i] = 0;
      ends[i] = 0;
    }
    int length = 5;
    int left = names.length;
    long at = document + 4L;
    while (left > 0) {
      byte code = memory.get(ValueLayout.JAVA_BYTE, at);
      if (code == 0) {
        break;
      }
      long nameEnd = Utf8.end(memory, at + 1);
      long end = nameEnd + 1 + Type.orMissing(code).length(memory, nameEnd + 1);
      int wanted = wanted(memory, at + 1, (int) (nameEnd - at - 1));
      if (wanted >= 0) {
        starts[wanted] = at;
        ends[wanted] = end;
        length += (int) (end - at);
        left--;
      }
      at = end;
    }
    return length;
  }

  /** Returns the index of the wanted field with this name that was not found yet, or -1. */
  private int wanted(MemorySegment memory, long name, int length) {
    for (int i = 0; i < names.length; i++) {
      if (starts[i] == 0 && names[i].length == length && isAt(names[i], memory, name)) {
        return i;
      }
    }
    return -1;
  }

  private static boolean isAt(byte[] bytes, MemorySegment memory, long at) {
    for (int i = 0; i < bytes.length; i++) {
      if (memory.get(ValueLayout.JAVA_BYTE, at + i) != bytes[i]) {
        return false;
      }
    }
    return true;
  }
}
