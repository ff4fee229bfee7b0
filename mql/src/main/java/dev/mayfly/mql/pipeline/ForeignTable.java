package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Expansion;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Hash table of a foreign collection by the values at one path, for joins without an index.
 *
 * <p>Returns candidates: every document that is equal in the sense of a filter, and possibly
 * others. Null, missing and an empty array share one key.
 */
final class ForeignTable {
  private static final int DOCUMENT_BYTES = 64;
  private static final int NONE = -1;

  private final Execution execution;
  private final KeyWriter key = new KeyWriter();
  private final KeyTable keys = new KeyTable();
  private final List<Document> documents = new ArrayList<>();
  // Entries of one key are chained: for each key its last entry, for each entry the previous one.
  private int[] last = new int[64];
  private int[] before = new int[64];
  private int[] places = new int[64];
  private int entries;

  private ForeignTable(Execution execution) {
    this.execution = execution;
  }

  /**
   * Returns whether the table can distinguish values at the path: a number in a path may be an
   * array index or a name.
   */
  static boolean serves(FieldPath path) {
    return IntStream.range(0, path.length()).allMatch(i -> path.index(i) < 0);
  }

  /** Builds a table and closes the rows; empty if they do not fit into memory. */
  static Optional<ForeignTable> of(
      Rows rows, FieldPath path, Execution execution, QueryMemory.Holding memory) {
    ForeignTable table = new ForeignTable(execution);
    Expansion expansion = new Expansion(List.of(path));
    long bytes = 0;
    try (rows) {
      while (rows.next()) {
        Document document = rows.current();
        table.documents.add(document);
        expansion.expand(document, tuple -> table.put(tuple.value(0)));
        bytes += DOCUMENT_BYTES + document.length();
        if (!memory.hold(bytes + table.bytes())) {
          memory.hold(0);
          return Optional.empty();
        }
      }
    }
    return Optional.of(table);
  }

  /** Returns the candidates for any of the values, each once, in the order of the collection. */
  List<Document> candidates(List<Value> values) {
    IntStream.Builder found = IntStream.builder();
    for (Value value : values) {
      write(value);
      int number = keys.find(key.buffer(), key.length());
      for (int entry = number < 0 ? NONE : last[number]; entry != NONE; entry = before[entry]) {
        found.add(places[entry]);
      }
    }
    return found.build().sorted().distinct().mapToObj(documents::get).toList();
  }

  private void put(Value value) {
    write(value);
    int known = keys.size();
    int number = keys.place(key.buffer(), key.length());
    if (number == last.length) {
      last = Arrays.copyOf(last, 2 * number);
    }
    if (entries == places.length) {
      before = Arrays.copyOf(before, 2 * entries);
      places = Arrays.copyOf(places, 2 * entries);
    }
    before[entries] = number == known ? NONE : last[number];
    places[entries] = documents.size() - 1;
    last[number] = entries++;
  }

  private void write(Value value) {
    Value found =
        switch (value.type()) {
          case MISSING, UNDEFINED, NULL -> Value.NULL;
          default -> execution.fold(value);
        };
    key.clear().append(found, Order.MONGO);
  }

  private long bytes() {
    return keys.bytesKept() + 4L * (last.length + before.length + places.length);
  }
}
