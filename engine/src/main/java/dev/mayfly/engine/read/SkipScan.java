package dev.mayfly.engine.read;

import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.shard.IndexEntryKeys;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.store.Range;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyReader;
import dev.mayfly.value.Value;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Skip scan of an index (MongoDB's DISTINCT_SCAN): finds the first entry with the next distinct
 * value. Immutable.
 *
 * <p>It cannot skip after a truncated key, nor after a null that may stand for a missing field,
 * because such a key does not identify the value.
 */
final class SkipScan {
  private final IndexSpec spec;
  private final int parts;
  private final int start;

  /**
   * @param match contains the number of leading parts that make up the value
   */
  SkipScan(IndexState index, IndexMatch match) {
    this.spec = index.spec();
    this.parts = match.distinctParts();
    this.start = Layout.indexPrefix(index.id()).length;
  }

  /**
   * Returns the first key after all entries with the values of this entry; null if some of them may
   * have another value.
   *
   * @param shown the document of the entry
   */
  byte @Nullable [] after(byte[] entry, Document shown) {
    int end = end(entry);
    return end == 0 || (spec.foldsMissing() && !identifiesValue(entry, shown))
        ? null
        : Range.prefix(Arrays.copyOf(entry, end)).to();
  }

  /** Returns whether two entries certainly have the same values. */
  boolean same(byte[] entry, byte[] other) {
    int end = end(entry);
    return end != 0 && end == end(other) && Arrays.equals(entry, start, end, other, start, end);
  }

  /** Returns the end of the values in the key; 0 if the key may be truncated. */
  private int end(byte[] entry) {
    if (entry.length - start >= IndexEntryKeys.MAX_VALUE_BYTES) {
      return 0;
    }
    KeyReader reader = new KeyReader(entry, start);
    for (int i = 0; i < parts; i++) {
      skip(reader, spec.parts().get(i));
    }
    return reader.position();
  }

  private static void skip(KeyReader reader, Part part) {
    if (part.descending()) {
      reader.skipDescending();
    } else {
      reader.skip();
    }
  }

  /** Returns false if the entry has null and the field may be missing in the document. */
  private boolean identifiesValue(byte[] entry, Document shown) {
    KeyReader reader = new KeyReader(entry, start);
    for (int i = 0; i < parts - 1; i++) {
      skip(reader, spec.parts().get(i));
    }
    Part part = spec.parts().get(parts - 1);
    FieldPath path = part.path();
    Value value = part.descending() ? reader.readDescending() : reader.read();
    return !value.isNull() || shown.at(path).isNull();
  }
}
