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
 * Looks for documents that share keys of an index which is to become unique.
 *
 * <p>Reads all documents twice, so that only keys that may be shared are kept: a first walk marks
 * the hashes that it meets, and those that it meets again.
 */
final class DuplicateKeyScan {
  private static final int FEWEST_BITS = 1 << 16;
  private static final int MOST_BITS = 1 << 28;
  private static final int BITS_PER_DOCUMENT = 16;

  /** How many documents are told of. */
  private static final int MOST = 10_000;

  private final Request request;
  private final Collection collection;
  private final IndexKeys keys;
  private final int bits;
  private final BitSet met = new BitSet();
  private final BitSet metAgain = new BitSet();
  private final Map<ByteKey, List<Value>> holders = new LinkedHashMap<>();

  private DuplicateKeyScan(Request request, Collection collection, IndexSpec index) {
    this.request = request;
    this.collection = collection;
    this.keys = new IndexKeys(index.withGuarded(false).withUnique(true));
    long wanted = collection.usage().documents() * BITS_PER_DOCUMENT;
    this.bits = Math.clamp(wanted, FEWEST_BITS, MOST_BITS);
  }

  /**
   * Goes on when no two documents share a key of an index.
   *
   * @throws CommandException CannotConvertIndexToUnique with the ids of those that do
   */
  static void refuse(Request request, Collection collection, IndexSpec index) {
    DuplicateKeyScan shared = new DuplicateKeyScan(request, collection, index);
    shared.walk((hash, _, _) -> shared.mark(hash));
    if (!shared.metAgain.isEmpty()) {
      shared.walk(shared::keep);
      shared.holders.values().removeIf(ids -> ids.size() < 2);
    }
    if (!shared.holders.isEmpty()) {
      throw new CommandException(
              new ErrorCode(359, "CannotConvertIndexToUnique"),
              "Cannot convert the index to unique. Please resolve conflicting documents before"
                  + " running collMod again.")
          .with(shared.violations());
    }
  }

  /** Takes a key of a document. */
  private interface Sink {
    void take(int hash, ByteKey key, Value id);
  }

  private void walk(Sink sink) {
    try (Cursor cursor = collection.query(Query.of(Filter.all(), Mode.MATCH))) {
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
    (met.get(hash) ? metAgain : met).set(hash);
  }

  private void keep(int hash, ByteKey key, Value id) {
    if (metAgain.get(hash)) {
      holders.computeIfAbsent(key, _ -> new ArrayList<>()).add(id);
    }
  }

  private Document violations() {
    DocumentWriter told = Document.writer().startArray("violations");
    int left = MOST;
    for (List<Value> ids : holders.values()) {
      if (left > 0) {
        told.startDocument()
            .put("ids", Value.array(ids.subList(0, Math.min(left, ids.size()))))
            .end();
        left -= ids.size();
      }
    }
    return told.end().build();
  }
}
