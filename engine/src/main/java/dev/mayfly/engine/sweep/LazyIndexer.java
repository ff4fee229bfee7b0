package dev.mayfly.engine.sweep;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.read.ShardFeedReader;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.shard.IndexEntryValues;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.engine.storage.ByteBuilder;
import dev.mayfly.engine.storage.ByteCursor;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Space;
import java.util.List;

/**
 * Lazy indexer of one shard: reads the change feed and writes the index entries of changed
 * documents after their commits. Used by one thread at a time.
 */
public final class LazyIndexer {
  private final ShardOwner owner;
  private final IndexEntryKeys keys = new IndexEntryKeys();

  public LazyIndexer(ShardOwner owner) {
    this.owner = owner;
  }

  private boolean lazy() {
    return owner.compiled().spec().indexing() == IndexingMode.LAZY;
  }

  /**
   * Returns the position up to which changes are indexed; {@link Long#MAX_VALUE} if indexing is not
   * lazy.
   */
  long indexedTo() {
    return lazy() ? storedPosition() : Long.MAX_VALUE;
  }

  private long storedPosition() {
    byte[] stored = owner.shard().read(Space.META, Layout.lazyIndexed());
    return stored == null ? owner.trimmedTo() : new ByteCursor(stored, 0).varint();
  }

  /**
   * Indexes the documents of the next changes. Returns whether more changes remain.
   *
   * @param budget the maximum number of changes to read
   */
  public boolean slice(int budget) {
    if (indexedTo() >= owner.lastPosition()) {
      return false;
    }
    owner.lock().lock();
    try {
      long from = Math.max(storedPosition(), owner.trimmedTo());
      List<Change> changes = new ShardFeedReader(owner).read(from, budget);
      Batch batch = new Batch();
      for (Change change : changes) {
        index(batch, change.key());
      }
      long upTo = changes.isEmpty() ? owner.lastPosition() : changes.getLast().position();
      batch.put(Space.META, Layout.lazyIndexed(), new ByteBuilder().varint(upTo).bytes());
      owner.commitEntries(batch, owner.compiled(), keys.arrays(owner.compiled()));
      return upTo < owner.lastPosition();
    } finally {
      owner.lock().unlock();
    }
  }

  /**
   * Writes the entries of the current version of a document. Its writers have removed the previous
   * entries.
   */
  private void index(Batch batch, DocumentKey documentKey) {
    CompiledCollection compiled = owner.compiled();
    PrimaryKey key = PrimaryKey.of(compiled.spec(), documentKey);
    byte[] record = owner.record(key.bytes());
    if (record == null || owner.sweptLanes().covers(record, key.bytes())) {
      return;
    }
    byte[] header = ShardBuild.entryHeader(compiled, record);
    List<List<byte[]>> all = keys.of(compiled, key, record);
    for (int i = 0; i < all.size(); i++) {
      IndexState index = compiled.state().indexes().get(i);
      for (byte[] entryKey : all.get(i)) {
        if (!index.spec().unique()) {
          batch.put(
              Space.ENTRIES, entryKey, IndexEntryValues.value(index, key, header, header.length));
        }
      }
    }
  }
}
