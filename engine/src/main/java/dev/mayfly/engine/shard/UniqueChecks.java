package dev.mayfly.engine.shard;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexKeys;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.Document;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Unique check for indexes that are {@linkplain IndexSpec#guarded guarded} (prepareUnique): their
 * entries may contain duplicates, so the check compares the documents. Belongs to one write group.
 */
final class UniqueChecks {
  private static final byte[] NOTHING = {};

  /** Reads the record of a primary key; null if there is none. */
  interface Records {
    byte @Nullable [] read(byte[] primaryKey);
  }

  private final Reader reader;
  private final Records live;
  private final Map<ByteKey, List<byte[]>> written = new HashMap<>();

  /**
   * @param live reads the live record of a primary key as the group has left it; null if there is
   *     none
   */
  UniqueChecks(Reader reader, Records live) {
    this.reader = reader;
    this.live = live;
  }

  /**
   * Rejects a document with a key of another document, unless it had that key before.
   *
   * @param before the previous document; empty if there is none
   * @throws EngineException DUPLICATE_KEY
   */
  void check(
      IndexState index,
      PrimaryKey key,
      Document before,
      Document after,
      TransactionLocks.Guard guard) {
    IndexKeys extractor = new IndexKeys(asUnique(index.spec()));
    Set<ByteKey> fresh = keys(extractor, after);
    if (!before.isEmpty()) {
      fresh.removeAll(keys(extractor, before));
    }
    for (ByteKey values : fresh) {
      byte[] whole = whole(index, values.array());
      guard.checkUniqueKey(whole);
      for (byte[] holder : holders(index, values.array(), whole)) {
        byte[] record = Arrays.equals(holder, key.bytes()) ? null : live.read(holder);
        if (record != null && keys(extractor, RecordFormat.document(record)).contains(values)) {
          throw EngineException.duplicate(
              Reason.DUPLICATE_KEY, index.spec().name(), extractor.values(after, values.array()));
        }
      }
      written.computeIfAbsent(new ByteKey(whole), _ -> new ArrayList<>()).add(key.bytes());
    }
  }

  private static IndexSpec asUnique(IndexSpec spec) {
    return spec.withGuarded(false).withUnique(true);
  }

  private static Set<ByteKey> keys(IndexKeys extractor, Document document) {
    Set<ByteKey> keys = new LinkedHashSet<>();
    extractor.extract(
        document, (buffer, length) -> keys.add(new ByteKey(Arrays.copyOf(buffer, length))));
    return keys;
  }

  /**
   * The primary keys of all documents that may have these values: entries contain a truncated key.
   */
  private List<byte[]> holders(IndexState index, byte[] values, byte[] whole) {
    List<byte[]> holders = new ArrayList<>(written.getOrDefault(new ByteKey(whole), List.of()));
    for (byte[] spelled : spellings(index.spec(), values)) {
      byte[] start = whole(index, spelled);
      int most =
          Math.min(start.length, whole(index, NOTHING).length + IndexEntryKeys.MAX_VALUE_BYTES);
      Range range = Range.prefix(Arrays.copyOf(start, most));
      try (Scan scan = reader.scan(Space.ENTRIES, range, Direction.UP)) {
        while (scan.next()) {
          holders.add(IndexEntryValues.primaryKey(false, scan.key(), scan.value()));
        }
      }
    }
    return holders;
  }

  /** A missing value counts as null, but an index with one part stores the two differently. */
  private static List<byte[]> spellings(IndexSpec spec, byte[] values) {
    boolean absent = spec.parts().size() == 1 && Arrays.equals(values, key(spec, Value.NULL));
    return absent ? List.of(values, key(spec, Value.MISSING)) : List.of(values);
  }

  private static byte[] key(IndexSpec spec, Value value) {
    KeyWriter key = new KeyWriter();
    return spec.parts().getFirst().descending()
        ? key.appendDescending(value, spec.order()).bytes()
        : key.append(value, spec.order()).bytes();
  }

  private static byte[] whole(IndexState index, byte[] values) {
    byte[] prefix = Layout.indexPrefix(index.id());
    byte[] whole = Arrays.copyOf(prefix, prefix.length + values.length);
    System.arraycopy(values, 0, whole, prefix.length, values.length);
    return whole;
  }
}
