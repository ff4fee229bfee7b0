package dev.mayfly.engine.shard;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.catalog.CompiledCollection;
import dev.mayfly.engine.catalog.IndexState;
import dev.mayfly.engine.index.IndexException;
import dev.mayfly.engine.index.IndexKeys;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.KeyRange;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.storage.Layout;
import dev.mayfly.engine.storage.PrimaryKey;
import dev.mayfly.engine.storage.RecordFormat;
import dev.mayfly.engine.storage.WriteTime;
import dev.mayfly.expiry.Header;
import dev.mayfly.query.Expansion;
import dev.mayfly.query.Filter;
import dev.mayfly.query.ShellText;
import dev.mayfly.store.Batch;
import dev.mayfly.store.Range;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Extractor of the index entry keys of documents. Belongs to one thread at a time. */
public final class IndexEntryKeys {
  /** Maximum length of the values in the key of an index that is not unique, in bytes. */
  public static final int MAX_VALUE_BYTES = 16 << 10;

  private @Nullable CompiledCollection compiled;
  private IndexKeys[] extractors = {};
  private long[] arrays = {};

  /**
   * The keys of a document, one list per index in the order of the collection's indexes.
   *
   * @param writtenAt the time of its last write
   */
  List<List<byte[]>> of(
      CompiledCollection current, PrimaryKey key, Document document, long writtenAt) {
    prepare(current);
    List<IndexState> indexes = current.state().indexes();
    List<List<byte[]>> all = new ArrayList<>(extractors.length);
    for (int i = 0; i < extractors.length; i++) {
      all.add(of(i, indexes.get(i), key, document, writtenAt));
    }
    return all;
  }

  /** The keys that the document of a record has in one index. */
  public List<byte[]> of(
      CompiledCollection current, IndexState index, PrimaryKey key, byte[] record) {
    prepare(current);
    int place = current.state().indexes().indexOf(index);
    return of(place, index, key, RecordFormat.document(record), Header.writtenAt(record, 0));
  }

  /** The keys that the document of a record has. */
  public List<List<byte[]>> of(CompiledCollection current, PrimaryKey key, byte[] record) {
    return of(current, key, RecordFormat.document(record), Header.writtenAt(record, 0));
  }

  /** The exception for a unique key that another document holds. */
  public static EngineException duplicate(IndexState index, Document document, byte[] entryKey) {
    return EngineException.duplicate(
        Reason.DUPLICATE_KEY,
        index.spec().name(),
        new IndexKeys(index.spec()).values(document, entryKey));
  }

  /**
   * The multikey parts of each index: bit sets of the parts that contained an array in a document
   * so far.
   */
  public long[] arrays(CompiledCollection current) {
    prepare(current);
    return arrays;
  }

  /** Forgets which parts have met an array. */
  void clearMultikey() {
    Arrays.fill(arrays, 0);
  }

  /**
   * Returns whether a part has met an array that is not known as multikey yet.
   *
   * @param known the multikey parts by index id, as bit sets
   */
  boolean makesMultikey(Map<Integer, Long> known) {
    for (int i = 0; i < arrays.length; i++) {
      if (arrays[i] != 0 && compiled != null) {
        int index = compiled.state().indexes().get(i).id();
        if ((arrays[i] & ~known.getOrDefault(index, 0L)) != 0) {
          return true;
        }
      }
    }
    return false;
  }

  private List<byte[]> of(
      int i, IndexState index, PrimaryKey key, Document document, long writtenAt) {
    List<byte[]> keys = new ArrayList<>(1);
    byte[] prefix = Layout.indexPrefix(index.id());
    boolean unique = index.spec().unique();
    Document whole = indexed(index.spec(), document, writtenAt);
    try {
      arrays[i] |=
          extractors[i].extract(
              whole, (buffer, length) -> keys.add(whole(prefix, unique, key, buffer, length)));
    } catch (IndexException refused) {
      throw refused(refused, index, document);
    }
    return keys;
  }

  /**
   * Returns the document as an index sees it: an index on the write time alone sees no other field.
   */
  private static Document indexed(IndexSpec spec, Document document, long writtenAt) {
    if (!spec.hasWriteTime()) {
      return document;
    }
    boolean timeAlone =
        spec.parts().size() == 1
            && spec.partial().equals(Filter.all())
            && document.at(IndexSpec.WRITTEN).isMissing();
    return WriteTime.with(timeAlone ? Document.EMPTY : document, writtenAt);
  }

  private static EngineException refused(IndexException why, IndexState index, Document document) {
    return switch (why.reason()) {
      case BAD_GEOMETRY ->
          new EngineException(
              Reason.BAD_GEOMETRY,
              ShellText.of(document) + "  " + String.valueOf(why.getMessage()));
      case CANNOT_INDEX_PARALLEL_ARRAYS ->
          new EngineException(
              Reason.CANNOT_INDEX,
              "cannot index parallel arrays " + arrays(index.spec(), document));
      case AMBIGUOUS_FIELD_NAME ->
          new EngineException(
              Reason.AMBIGUOUS_FIELD,
              why.getMessage()
                  + ", in index "
                  + index.spec().name()
                  + " of "
                  + ShellText.of(document));
      case BAD_SPEC ->
          new EngineException(
              Reason.CANNOT_INDEX, why.reason() + " in index " + index.spec().name());
    };
  }

  /** The first two paths of an index that lead into arrays, the later one first. */
  private static String arrays(IndexSpec spec, Document document) {
    return spec.parts().stream()
        .map(Part::path)
        .filter(path -> new Expansion(List.of(path)).expand(document, _ -> {}) != 0)
        .limit(2)
        .map(path -> "[" + path + "]")
        .reduce("", (before, next) -> before.isEmpty() ? next : next + " " + before);
  }

  /**
   * Key layout: index; for a unique index the partition key and the values; otherwise the values
   * and the primary key. Values of an index that is not unique are truncated: readers check the
   * document itself.
   */
  private static byte[] whole(
      byte[] prefix, boolean unique, PrimaryKey key, byte[] values, int found) {
    int length = unique ? found : Math.min(found, MAX_VALUE_BYTES);
    int before = unique ? key.partitionLength() : 0;
    int after = unique ? 0 : key.bytes().length;
    int total = prefix.length + before + length + after;
    if (total > Batch.MAX_KEY_BYTES) {
      throw new EngineException(Reason.CANNOT_INDEX, "the value is too long for an index");
    }
    byte[] whole = Arrays.copyOf(prefix, total);
    System.arraycopy(key.bytes(), 0, whole, prefix.length, before);
    System.arraycopy(values, 0, whole, prefix.length + before, length);
    System.arraycopy(key.bytes(), 0, whole, total - after, after);
    return whole;
  }

  /** The entry key of an index that is not unique. */
  public static byte[] whole(byte[] prefix, byte[] primaryKey, byte[] values, int found) {
    int length = Math.min(found, MAX_VALUE_BYTES);
    byte[] whole = Arrays.copyOf(prefix, prefix.length + length + primaryKey.length);
    System.arraycopy(values, 0, whole, prefix.length, length);
    System.arraycopy(primaryKey, 0, whole, prefix.length + length, primaryKey.length);
    return whole;
  }

  /** The entry key of a unique index without a partition key. */
  public static byte[] unique(byte[] prefix, byte[] values, int length) {
    byte[] whole = Arrays.copyOf(prefix, prefix.length + length);
    System.arraycopy(values, 0, whole, prefix.length, length);
    return whole;
  }

  /** The key ranges of ascending value ranges; they do not overlap. */
  public static List<Range> ranges(byte[] prefix, List<KeyRange> values) {
    int most = prefix.length + MAX_VALUE_BYTES;
    List<Range> ranges = new ArrayList<>(values.size());
    byte[] done = {};
    for (KeyRange range : values) {
      byte[] from = joined(prefix, range.from());
      byte[] to = joined(prefix, range.to());
      byte[] start = from.length <= most ? from : Arrays.copyOf(from, most);
      byte[] end = to.length <= most ? to : successor(Arrays.copyOf(to, most));
      ranges.add(Range.of(Arrays.compareUnsigned(start, done) < 0 ? done : start, end));
      done = end;
    }
    return ranges;
  }

  /**
   * The first key after all keys with a prefix; it exists, because no prefix consists of 0xFF bytes
   * only.
   */
  private static byte[] successor(byte[] prefix) {
    return Objects.requireNonNull(Range.prefix(prefix).to());
  }

  private static byte[] joined(byte[] prefix, byte[] rest) {
    byte[] both = Arrays.copyOf(prefix, prefix.length + rest.length);
    System.arraycopy(rest, 0, both, prefix.length, rest.length);
    return both;
  }

  private void prepare(CompiledCollection current) {
    if (compiled == current) {
      return;
    }
    compiled = null;
    extractors =
        current.state().indexes().stream()
            .map(index -> new IndexKeys(index.spec()))
            .toArray(IndexKeys[]::new);
    arrays = new long[extractors.length];
    compiled = current;
  }
}
