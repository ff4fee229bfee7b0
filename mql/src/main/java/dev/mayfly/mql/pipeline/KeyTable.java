package dev.mayfly.mql.pipeline;

import dev.mayfly.query.limit.Interrupt;
import java.util.Arrays;

/**
 * Hash table that numbers byte strings in the order of their first occurrence.
 *
 * <p>Open addressing over one array of all bytes: no object per key.
 */
final class KeyTable {
  private static final int FIRST_SLOTS = 64;
  private static final int USUAL_PROBES = 64;

  private int[] slots = new int[FIRST_SLOTS];
  private int[] hashes = new int[FIRST_SLOTS];
  private int[] ends = new int[FIRST_SLOTS];
  private byte[] bytes = new byte[1 << 10];
  private int size;

  /** Returns the number of distinct keys. */
  int size() {
    return size;
  }

  /** Returns the memory of the table in bytes. */
  long bytesKept() {
    return bytes.length + 4L * (slots.length + hashes.length + ends.length);
  }

  /** Returns the number of a key, or a negative number if it is absent. */
  int find(byte[] key, int length) {
    return slots[slot(key, length, hash(key, length))] - 1;
  }

  /** Returns the number of a key; adds the key if it is absent. */
  int place(byte[] key, int length) {
    int hash = hash(key, length);
    int slot = slot(key, length, hash);
    if (slots[slot] != 0) {
      return slots[slot] - 1;
    }
    add(key, length, hash);
    slots[slot] = size;
    growSlots();
    return size - 1;
  }

  /** Returns the slot of the key, or the free slot for it. */
  private int slot(byte[] key, int length, int hash) {
    int mask = slots.length - 1;
    int slot = hash & mask;
    int probes = 0;
    while (slots[slot] != 0 && !isKey(slots[slot] - 1, key, length, hash)) {
      slot = (slot + 1) & mask;
      probes++;
    }
    if (probes > USUAL_PROBES) {
      // keys may have been chosen to collide
      Interrupt.steps(probes / USUAL_PROBES);
    }
    return slot;
  }

  private boolean isKey(int number, byte[] key, int length, int hash) {
    int start = number == 0 ? 0 : ends[number - 1];
    return hashes[number] == hash && Arrays.equals(bytes, start, ends[number], key, 0, length);
  }

  private void add(byte[] key, int length, int hash) {
    int start = size == 0 ? 0 : ends[size - 1];
    if (length > bytes.length - start) {
      bytes = Arrays.copyOf(bytes, Math.max(start + length, 2 * bytes.length));
    }
    if (size == ends.length) {
      ends = Arrays.copyOf(ends, 2 * size);
      hashes = Arrays.copyOf(hashes, 2 * size);
    }
    System.arraycopy(key, 0, bytes, start, length);
    ends[size] = start + length;
    hashes[size] = hash;
    size++;
  }

  private void growSlots() {
    if (2 * size < slots.length) {
      return;
    }
    int mask = 2 * slots.length - 1;
    int[] wider = new int[mask + 1];
    for (int number = 0; number < size; number++) {
      int slot = hashes[number] & mask;
      while (wider[slot] != 0) {
        slot = (slot + 1) & mask;
      }
      wider[slot] = number + 1;
    }
    slots = wider;
  }

  private static int hash(byte[] key, int length) {
    int hash = 1;
    for (int i = 0; i < length; i++) {
      hash = 31 * hash + key[i];
    }
    // Keys of small numbers differ in their upper bytes only; slots use the lower bits.
    hash *= 0x9E3779B9;
    return hash ^ (hash >>> 15);
  }
}
