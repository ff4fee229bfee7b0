package dev.mayfly.engine.read;

import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Scan of entries that reads the records of the next entries together, ahead of its caller. For a
 * store on other machines: an index scan then costs one request per hundred documents, not one per
 * document. Reads few records ahead first, because many scans end soon. For one thread.
 */
final class ReadAheadScan implements Scan {
  private static final int FIRST_ENTRIES = 4;
  private static final int MAX_ENTRIES = 100;

  private final Scan entries;
  private final Reader reader;
  private final BinaryOperator<byte @Nullable []> primaryKey;
  private final Queue<Entry> ahead = new ArrayDeque<>();
  private @Nullable Entry current;
  private int count = FIRST_ENTRIES;

  /** An entry with its record. */
  private static final class Entry {
    private final byte[] key;
    private final byte[] value;
    private byte @Nullable [] record;

    Entry(byte[] key, byte[] value) {
      this.key = key;
      this.value = value;
    }
  }

  /**
   * @param entries closed with this scan
   * @param reader of the records, of the same state as the entries
   * @param primaryKey returns the primary key of the record of an entry, by its key and value; null
   *     if the record is not needed
   */
  ReadAheadScan(Scan entries, Reader reader, BinaryOperator<byte @Nullable []> primaryKey) {
    this.entries = entries;
    this.reader = reader;
    this.primaryKey = primaryKey;
  }

  @Override
  public boolean next() {
    if (ahead.isEmpty()) {
      fill();
    }
    current = ahead.poll();
    return current != null;
  }

  private void fill() {
    List<Entry> wanted = new ArrayList<>(count);
    List<byte[]> keys = new ArrayList<>(count);
    while (ahead.size() < count && entries.next()) {
      Entry entry = new Entry(entries.key(), entries.value());
      ahead.add(entry);
      byte[] key = primaryKey.apply(entry.key, entry.value);
      if (key != null) {
        wanted.add(entry);
        keys.add(key);
      }
    }
    if (!keys.isEmpty()) {
      List<byte @Nullable []> records = reader.readAll(Space.RECORDS, keys);
      for (int i = 0; i < keys.size(); i++) {
        wanted.get(i).record = records.get(i);
      }
    }
    count = Math.min(count * 4, MAX_ENTRIES);
  }

  private Entry current() {
    return Objects.requireNonNull(current, "the scan is not at an entry");
  }

  /** Returns the record of the current entry; null if there is none, or if it is not needed. */
  byte @Nullable [] record() {
    return current().record;
  }

  @Override
  public byte[] key() {
    return current().key;
  }

  @Override
  public byte[] value() {
    return current().value;
  }

  @Override
  public void seek(byte[] key) {
    ahead.clear();
    current = null;
    entries.seek(key);
  }

  @Override
  public void close() {
    entries.close();
  }
}
