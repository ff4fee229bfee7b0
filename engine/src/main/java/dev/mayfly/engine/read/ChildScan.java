package dev.mayfly.engine.read;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.liveness.ParentKeys;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.expiry.Header;
import dev.mayfly.query.Filter;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Reader;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.value.KeyReader;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Scan of the stored children of parents in one shard, live or not, by the index that begins with
 * the field that names the parent. Used by one thread.
 */
public final class ChildScan {
  private final ShardOwner owner;
  private final ParentKeys keys;
  private final Reader reader;
  private final CollectionSpec spec;
  private final ExpiresWith with;
  private final Optional<IndexState> index;
  private final boolean repeats;

  /** Receiver of children. */
  public interface Visitor {
    /** Receives one child; returns false to end the scan. */
    boolean visit(byte[] primaryKey, byte[] record);
  }

  /**
   * @param owner of the shard of the children
   * @param reader of the shard
   */
  public ChildScan(ShardOwner owner, ParentKeys keys, Reader reader) {
    this.owner = owner;
    this.keys = keys;
    this.reader = reader;
    this.spec = owner.compiled().spec();
    this.with = spec.expiresWith().orElseThrow();
    this.index =
        owner.compiled().state().indexes().stream()
            .filter(one -> one.ready() && with.isServedBy(one.spec()))
            .findFirst();
    this.repeats = index.isPresent() && owner.arrays(index.get()) != 0;
  }

  /** Returns whether the index is built, so that the cost depends on the children. */
  public boolean isIndexed() {
    return index.isPresent();
  }

  /** Visits the children of a parent; returns false if the visitor has ended the scan. */
  public boolean forEach(byte[] parentKey, Visitor visitor) {
    return index.isPresent()
        ? byIndex(index.get(), parentKey, visitor)
        : byRecords(parentKey, visitor);
  }

  private boolean byIndex(IndexState found, byte[] parentKey, Visitor visitor) {
    Set<ByteKey> seen = new HashSet<>();
    boolean unique = found.spec().unique();
    for (Range range : ranges(found, parentKey)) {
      try (Scan scan = reader.scan(Space.ENTRIES, range, Direction.UP)) {
        while (scan.next()) {
          byte[] entry = scan.value();
          byte[] primaryKey = IndexEntryValues.primaryKey(unique, scan.key(), entry);
          byte[] record = reader.read(Space.RECORDS, primaryKey);
          if (record != null
              && Header.born(record, 0) == Header.born(entry, 0)
              && isChild(record, parentKey)
              && (!repeats || seen.add(new ByteKey(primaryKey)))
              && !visitor.visit(primaryKey, record)) {
            return false;
          }
        }
      }
    }
    return true;
  }

  private boolean byRecords(byte[] parentKey, Visitor visitor) {
    try (Scan scan = reader.scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        byte[] record = scan.value();
        if (isChild(record, parentKey) && !visitor.visit(scan.key(), record)) {
          return false;
        }
      }
    }
    return true;
  }

  private boolean isChild(byte[] record, byte[] parentKey) {
    PrimaryKey parent = keys.of(RecordFormat.document(record));
    return parent != null && Arrays.equals(parent.bytes(), parentKey);
  }

  /** Returns ranges of index keys that contain all children, and maybe other documents. */
  private List<Range> ranges(IndexState found, byte[] parentKey) {
    byte[] prefix = Layout.indexPrefix(found.id());
    if (spec.dialect() == Dialect.MONGO) {
      // without a partition key the primary key is the id, in the encoding of index keys
      boolean descending = found.spec().parts().getFirst().descending();
      int length = Math.min(parentKey.length, IndexEntryKeys.MAX_VALUE_BYTES);
      byte[] first = Arrays.copyOf(prefix, prefix.length + length);
      for (int i = 0; i < length; i++) {
        first[prefix.length + i] = (byte) (descending ? ~parentKey[i] : parentKey[i]);
      }
      return List.of(Range.prefix(first));
    }
    KeyReader key = new KeyReader(parentKey, 0);
    spec.partitionKey().forEach(_ -> key.read());
    Filter children = Filter.equal(with.field(), key.read());
    IndexMatch match =
        IndexMatch.of(found.spec(), children, List.of(), owner.arrays(found)).orElseThrow();
    return IndexEntryKeys.ranges(prefix, match.bounds().ranges());
  }
}
