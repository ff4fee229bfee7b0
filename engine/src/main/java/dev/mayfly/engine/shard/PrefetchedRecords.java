package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prefetched records of one request: the store reads them together before the request waits for the
 * shard's lock. A slow disk or network then delays this caller only, not the other callers of the
 * shard.
 *
 * <p>Writes are still decided under the lock, against the current state: the records are used only
 * if nothing was committed to the shard since they were read. Otherwise the group reads the records
 * again. Immutable.
 */
final class PrefetchedRecords {
  static final PrefetchedRecords NONE = new PrefetchedRecords(-1, Map.of());

  /** Number of keys in the first call of the store; it doubles from call to call. */
  private static final int FIRST_KEYS = 8;

  private static final int MAX_KEYS = 256;

  /** Reading ahead ends at this size in bytes; the rest is read under the lock. */
  private static final long MAX_BYTES = 4 << 20;

  private static final byte[] ABSENT = {};

  private final long commits;
  private final Map<ByteKey, byte[]> records;

  private PrefetchedRecords(long commits, Map<ByteKey, byte[]> records) {
    this.commits = commits;
    this.records = records;
  }

  /**
   * Reads ahead for some writes. Never fails: a key that is invalid and a store that cannot be read
   * are reported by the decision.
   *
   * @param commits the number of commits to the shard, taken before this call
   */
  static PrefetchedRecords read(
      Reader shard,
      CollectionSpec spec,
      HighestKeys highestKeys,
      List<Write> writes,
      long commits) {
    List<byte[]> keys = keys(spec, highestKeys, writes);
    if (keys.isEmpty()) {
      return NONE;
    }
    Map<ByteKey, byte[]> records = HashMap.newHashMap(keys.size());
    try {
      long bytes = 0;
      int count = FIRST_KEYS;
      for (int from = 0; from < keys.size() && bytes < MAX_BYTES; ) {
        List<byte[]> next = keys.subList(from, Math.min(from + count, keys.size()));
        bytes += add(records, next, shard.readAll(Space.RECORDS, next));
        from += next.size();
        count = Math.min(count * 2, MAX_KEYS);
      }
    } catch (StoreException unreadable) {
      return NONE;
    }
    return new PrefetchedRecords(commits, records);
  }

  private static long add(
      Map<ByteKey, byte[]> records, List<byte[]> keys, List<byte @Nullable []> values) {
    long bytes = 0;
    for (int i = 0; i < keys.size(); i++) {
      byte[] value = values.get(i);
      records.put(new ByteKey(keys.get(i)), value == null ? ABSENT : value);
      bytes += value == null ? 0 : value.length;
    }
    return bytes;
  }

  private static List<byte[]> keys(
      CollectionSpec spec, HighestKeys highestKeys, List<Write> writes) {
    List<byte[]> keys = new ArrayList<>(writes.size());
    boolean inserts = true;
    for (Write write : writes) {
      boolean insert = write instanceof Write.Insert;
      if (!insert || inserts) {
        byte[] key = key(spec, write);
        if (insert && key != null && highestKeys.isAboveFloor(key)) {
          // ids mostly grow: the inserts that follow need no read either
          inserts = false;
        } else if (key != null) {
          keys.add(key);
        }
      }
    }
    return keys;
  }

  private static byte @Nullable [] key(CollectionSpec spec, Write write) {
    try {
      return switch (write) {
        case Write.Insert(Document document) -> PrimaryKey.of(spec, document).bytes();
        case Write.InsertRenamed(_, Document document) -> PrimaryKey.of(spec, document).bytes();
        case Write.Upsert(Document document, _) -> PrimaryKey.of(spec, document).bytes();
        case Write.Replace(Document document, _) -> PrimaryKey.of(spec, document).bytes();
        case Write.Update update -> PrimaryKey.of(spec, update.key()).bytes();
        case Write.Touch touch -> PrimaryKey.of(spec, touch.key()).bytes();
        case Write.Delete(DocumentKey key, _) -> PrimaryKey.of(spec, key).bytes();
      };
    } catch (EngineException invalid) {
      return null;
    }
  }

  /**
   * Returns a reader of the shard's current state that takes these records from memory.
   *
   * @param commitsNow the number of commits to the shard; the caller holds the lock
   */
  Reader over(Reader shard, long commitsNow) {
    return commits == commitsNow ? new Over(shard, records) : shard;
  }

  private record Over(Reader shard, Map<ByteKey, byte[]> records) implements Reader {
    @Override
    public byte @Nullable [] read(Space space, byte[] key) {
      byte[] known = space == Space.RECORDS ? records.get(new ByteKey(key)) : null;
      if (known == null) {
        return shard.read(space, key);
      }
      return known.length == 0 ? null : known;
    }

    @Override
    public Scan scan(Space space, Range range, Direction direction) {
      return shard.scan(space, range, direction);
    }
  }
}
