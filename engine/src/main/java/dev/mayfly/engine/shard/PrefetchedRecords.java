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
 * Prefetched records of the writes of one request: the store reads them together, before the writes
 * are decided one by one. The documents are locked, so that nothing changes the records meanwhile.
 */
final class PrefetchedRecords implements Reader {
  /** Number of keys in the first call of the store; it doubles from call to call. */
  private static final int FIRST_KEYS = 8;

  private static final int MAX_KEYS = 256;

  /** Reading ahead ends at this size in bytes; the rest is read one by one. */
  private static final long MAX_BYTES = 4 << 20;

  private static final byte[] ABSENT = {};

  private final Reader shard;
  private final Map<ByteKey, byte[]> records;

  private PrefetchedRecords(Reader shard, Map<ByteKey, byte[]> records) {
    this.shard = shard;
    this.records = records;
  }

  /**
   * Reads ahead. Never fails: if the store cannot be read, the decision of a write reports it.
   *
   * @param keys the primary keys of locked documents
   * @return a reader of the shard that has these records in memory
   */
  static Reader read(Reader shard, HighestKeys highestKeys, List<byte[]> keys) {
    List<byte[]> wanted = keys.stream().filter(highestKeys::mayContain).toList();
    Map<ByteKey, byte[]> records = HashMap.newHashMap(wanted.size());
    try {
      long bytes = 0;
      int count = FIRST_KEYS;
      for (int from = 0; from < wanted.size() && bytes < MAX_BYTES; ) {
        List<byte[]> next = wanted.subList(from, Math.min(from + count, wanted.size()));
        bytes += add(records, next, shard.readAll(Space.RECORDS, next));
        from += next.size();
        count = Math.min(count * 2, MAX_KEYS);
      }
    } catch (StoreException unreadable) {
      return shard;
    }
    return records.isEmpty() ? shard : new PrefetchedRecords(shard, records);
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

  /** The primary keys of the documents that writes name, without invalid ones. */
  static List<byte[]> keys(CollectionSpec spec, List<Write> writes) {
    List<byte[]> keys = new ArrayList<>(writes.size());
    for (Write write : writes) {
      byte[] key = key(spec, write);
      if (key != null) {
        keys.add(key);
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
