package dev.mayfly.mongo.schema;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.index.IndexKeys;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Search for documents with duplicate keys in an index that {@code collMod} makes unique.
 *
 * <p>Reads the collection up to two times to save memory. The first scan finds key hashes that
 * occur more than once. The second scan collects only the keys with these hashes.
 */
final class DuplicateKeyScan {
  private static final int MIN_BITS = 1 << 16;
  private static final int MAX_BITS = 1 << 28;
  private static final int BITS_PER_DOCUMENT = 16;

  /** The maximum number of document ids in the error. */
  private static final int MAX_IDS = 10_000;

  private final Request request;
  private final Collection collection;
  private final IndexKeys keys;
  private final int bits;
  private final BitSet seen = new BitSet();
  private final BitSet seenAgain = new BitSet();
  private final Map<ByteKey, List<Value>> holders = new LinkedHashMap<>();

  private DuplicateKeyScan(Request request, Collection collection, IndexSpec index) {
    this.request = request;
    this.collection = collection;
    this.keys = new IndexKeys(index.withGuarded(false).withUnique(true));
    long wanted = collection.usage(request.operation()).documents() * BITS_PER_DOCUMENT;
    this.bits = Math.clamp(wanted, MIN_BITS, MAX_BITS);
  }

  /**
   * Checks that no two documents have the same key.
   *
   * @throws CommandException CannotConvertIndexToUnique with the ids of documents with the same key
   */
  static void check(Request request, Collection collection, IndexSpec index) {
    DuplicateKeyScan search = new DuplicateKeyScan(request, collection, index);
    search.scan((hash, _, _) -> search.mark(hash));
    if (!search.seenAgain.isEmpty()) {
      search.scan(search::collect);
      search.holders.values().removeIf(ids -> ids.size() < 2);
    }
    if (!search.holders.isEmpty()) {
      throw new CommandException(
              new ErrorCode(359, "CannotConvertIndexToUnique"),
              "Cannot convert the index to unique. Please resolve conflicting documents before"
                  + " running collMod again.")
          .with(search.violations());
    }
  }

  /** Receives the keys of the documents. */
  private interface Sink {
    void take(int hash, ByteKey key, Value id);
  }

  private void scan(Sink sink) {
    Query all = Query.of(Filter.all(), Mode.MATCH).withoutTouch();
    try (Cursor cursor = collection.query(request.operation(), all)) {
      while (cursor.next()) {
        request.check();
        Document document = cursor.document();
        Set<ByteKey> own = new HashSet<>();
        keys.extract(document, (buffer, size) -> own.add(ByteKey.of(Arrays.copyOf(buffer, size))));
        own.forEach(
            key -> sink.take(Math.floorMod(key.hashCode(), bits), key, document.field("_id")));
      }
    }
  }

  private void mark(int hash) {
    (seen.get(hash) ? seenAgain : seen).set(hash);
  }

  private void collect(int hash, ByteKey key, Value id) {
    if (seenAgain.get(hash)) {
      holders.computeIfAbsent(key, _ -> new ArrayList<>()).add(id);
    }
  }

  private Document violations() {
    DocumentWriter error = Document.writer().startArray("violations");
    int left = MAX_IDS;
    for (List<Value> ids : holders.values()) {
      if (left > 0) {
        error
            .startDocument()
            .put("ids", Value.array(ids.subList(0, Math.min(left, ids.size()))))
            .end();
        left -= ids.size();
      }
    }
    return error.end().build();
  }
}
