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
 * Tells where in an index the next value begins, for who needs one document for each. Stateless.
 *
 * <p>A key that is cut does not tell values apart, and where missing is written as null, neither
 * does that: from such entries there is no leap.
 */
final class SkipScan {
  private final IndexSpec spec;
  private final int parts;
  private final int start;

  /**
   * @param match tells how many parts make a value
   */
  SkipScan(IndexState index, IndexMatch match) {
    this.spec = index.spec();
    this.parts = match.telling();
    this.start = Layout.indexPrefix(index.id()).length;
  }

  /**
   * The first key behind all entries that have the values of this one; null when some of them may
   * lead to a value that the document does not have.
   *
   * @param shown the document behind the entry
   */
  byte @Nullable [] behind(byte[] entry, Document shown) {
    int end = end(entry);
    return end == 0 || (spec.foldsMissing() && !tellsAll(entry, shown))
        ? null
        : Range.prefix(Arrays.copyOf(entry, end)).to();
  }

  /** True when two entries are known to have the same values. */
  boolean same(byte[] entry, byte[] other) {
    int end = end(entry);
    return end != 0 && end == end(other) && Arrays.equals(entry, start, end, other, start, end);
  }

  /** Where the values end; 0 when the key may be cut. */
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

  /** False when the entry says null and the document may say nothing. */
  private boolean tellsAll(byte[] entry, Document shown) {
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
