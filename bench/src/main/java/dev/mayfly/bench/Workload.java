package dev.mayfly.bench;

import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.LongFunction;

/** Documents of all benchmarks: orders of about 1 KB with two indexed fields. */
final class Workload {
  static final Namespace ORDERS = new Namespace("bench", "orders");
  static final int BYTES = 1024;
  static final long LIFE_SECONDS = 3600;

  private static final String FILLER =
      "The mayfly lives one day and is not missed by those who did not look. ".repeat(16);

  private Workload() {}

  /** Two indexes and a default TTL: a document has a record, two index entries, a lane entry. */
  static CollectionSpec spec() {
    return CollectionSpec.mongo()
        .withIndex(IndexSpec.implicit("status_1", Part.ascending(FieldPath.of("status"))))
        .withIndex(IndexSpec.implicit("amount_1", Part.ascending(FieldPath.of("amount"))))
        .withDefaultTtl(LIFE_SECONDS);
  }

  static Collection orders(Engine engine) {
    return engine.create(ORDERS, spec());
  }

  /** The same with images of the documents in the change feed. */
  static Collection orders(Engine engine, ChangeImageMode images) {
    CollectionSpec.FeedSpec feed = CollectionSpec.FeedSpec.DEFAULT;
    return engine.create(
        ORDERS,
        spec()
            .withFeed(
                new CollectionSpec.FeedSpec(images, feed.retentionMillis(), feed.maxBytes())));
  }

  /** Ids in the order of their numbers, like orders. */
  static String id(long number) {
    return String.format(Locale.ROOT, "order-%010d", number);
  }

  /** Ids in random order, like sessions and tokens. */
  static String scattered(long number) {
    long mixed = (number + 1) * 0x9E3779B97F4A7C15L;
    mixed = (mixed ^ mixed >>> 32) * 0xD6E8FEB86659FD93L;
    return String.format(Locale.ROOT, "%016x", mixed ^ mixed >>> 32);
  }

  static DocumentKey key(long number) {
    return DocumentKey.of(id(number));
  }

  static Document order(long number, long amount) {
    return order(id(number), number, amount);
  }

  static Document order(String id, long number, long amount) {
    DocumentWriter writer =
        Document.writer()
            .put("_id", id)
            .put("status", "status-" + number % 100)
            .put("amount", amount)
            .put("customer", "customer-" + number % 10_000)
            .put("at", Value.date(1_700_000_000_000L + number));
    return writer.put("note", note()).build();
  }

  /** Padding of an order. */
  static String note() {
    return FILLER.substring(0, BYTES - 180);
  }

  /** Inserts the orders from one number to another, exclusive, in groups of a hundred. */
  static void load(Collection collection, long from, long to, LongFunction<String> ids) {
    List<Write> group = new ArrayList<>();
    for (long i = from; i < to; i++) {
      group.add(new Write.Insert(order(ids, i)));
      if (group.size() == 100 || i == to - 1) {
        collection.write(group, Grouping.UNORDERED, Durability.LOGGED);
        group.clear();
      }
    }
  }

  /** Returns the order with a number; its id is a function of the number. */
  static Document order(LongFunction<String> ids, long number) {
    return order(ids.apply(number), number, number * 7919 % 1_000_003);
  }
}
