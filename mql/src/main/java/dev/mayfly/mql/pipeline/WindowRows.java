package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.Sort;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.query.sort.Sorter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Rows of {@code $setWindowFields}, partition by partition.
 *
 * <p>All documents are sorted, on disk if necessary; one partition must fit into memory.
 */
final class WindowRows implements Rows {
  private static final int ARRAY_PARTITION = 14;
  private static final int EXCEEDED_MEMORY = 292;
  private static final int DOCUMENT_BYTES = 64;

  private final Rows input;
  private final Stage.Window stage;
  private final Execution execution;
  private final Scope scope;
  private final DocumentComparator comparator;
  private final KeyWriter key = new KeyWriter();
  private final Sorter sorter;
  private final QueryMemory.Holding memory;
  private final List<FieldSetter> places;
  private boolean filled;
  private boolean more;
  private List<Document> results = List.of();
  private int at = -1;
  private long held;

  WindowRows(Rows input, Stage.Window stage, Execution execution) {
    this.input = input;
    this.stage = stage;
    this.execution = execution;
    this.scope = execution.scope();
    this.comparator = execution.comparator(stage.order());
    this.sorter = new Sorter(execution.workspace(), Long.MAX_VALUE);
    this.memory = execution.workspace().holding();
    this.places = stage.outputs().stream().map(output -> new FieldSetter(output.path())).toList();
  }

  @Override
  public boolean next() {
    if (!filled) {
      fill();
    }
    if (++at < results.size()) {
      return true;
    }
    if (!more) {
      return false;
    }
    results = compute(nextPartition());
    at = 0;
    return true;
  }

  private void fill() {
    filled = true;
    while (input.next()) {
      Document document = input.current();
      writePartition(document);
      if (!stage.order().isEmpty()) {
        key.appendBytes(comparator.key(document));
      }
      sorter.add(key.bytes(), document);
    }
    input.close();
    sorter.finish();
    more = sorter.next();
  }

  private void writePartition(Document document) {
    Value value = stage.partition().evaluate(scope.root(document));
    if (value.isArray()) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          ARRAY_PARTITION,
          "An expression used to partition cannot evaluate to value of type array");
    }
    Value found = value.isMissing() ? Value.NULL : value;
    key.clear().append(execution.fold(found), Order.MONGO);
  }

  private List<Document> nextPartition() {
    writePartition(sorter.document());
    byte[] partition = key.bytes();
    List<Document> documents = new ArrayList<>();
    held = 0;
    do {
      documents.add(sorter.document());
      keep(DOCUMENT_BYTES + sorter.document().length());
      more = sorter.next();
    } while (more && startsWith(sorter.key(), partition));
    return documents;
  }

  /** Key bytes of a partition are self-delimiting, so none is a prefix of another. */
  private static boolean startsWith(byte[] key, byte[] prefix) {
    return key.length >= prefix.length
        && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
  }

  private List<Document> compute(List<Document> documents) {
    Partition partition = new Partition(documents, axis(), comparator, scope, this::keep);
    List<Value[]> columns =
        stage.outputs().stream().map(output -> partition.compute(output.function())).toList();
    List<Document> finished = new ArrayList<>(documents.size());
    for (int row = 0; row < documents.size(); row++) {
      Document document = documents.get(row);
      Interrupt.steps(Interrupt.ofBytes(document.length()) * columns.size());
      for (int column = 0; column < columns.size(); column++) {
        document = places.get(column).put(document, columns.get(column)[row]);
      }
      keep(DOCUMENT_BYTES + document.length());
      finished.add(document);
    }
    return finished;
  }

  /** Returns the only sort path; empty if there are several. */
  private Optional<FieldPath> axis() {
    List<Sort> order = stage.order();
    return order.size() == 1 ? Optional.of(order.getFirst().path()) : Optional.empty();
  }

  /** Accounts for more bytes of this partition. */
  private void keep(long bytes) {
    held += bytes;
    if (!memory.hold(held)) {
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          EXCEEDED_MEMORY,
          "a partition of $setWindowFields does not fit into memory");
    }
  }

  @Override
  public Document current() {
    return results.get(at);
  }

  @Override
  public void close() {
    more = false;
    memory.close();
    try (sorter) {
      input.close();
    }
  }
}
