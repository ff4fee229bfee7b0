package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Rows of {@code $graphLookup}: each document with an array of all documents reachable from it.
 *
 * <p>Breadth-first search: a document is found at its smallest depth, once for each {@code _id}.
 */
final class GraphLookupRows implements Rows {
  private static final int EXCEEDED_MEMORY = 40099;

  /** Approximate memory for a visited document or value. */
  private static final int ENTRY_BYTES = 128;

  private final Rows input;
  private final Stage.Graph stage;
  private final Execution execution;
  private final FieldSetter place;
  private final QueryMemory.Holding memory;
  private final Optional<FieldSetter> depth;
  private final KeyWriter key = new KeyWriter();
  private Document current = Document.EMPTY;

  GraphLookupRows(Rows input, Stage.Graph stage, Execution execution) {
    this.input = input;
    this.stage = stage;
    this.execution = execution;
    this.place = new FieldSetter(stage.as());
    this.memory = execution.workspace().holding();
    this.depth = stage.depth().map(FieldSetter::new);
  }

  @Override
  public boolean next() {
    if (!input.next()) {
      return false;
    }
    Document document = input.current();
    Value start = stage.start().evaluate(execution.scope().root(document));
    current = place.put(document, search(start));
    return true;
  }

  private Value search(Value start) {
    DocumentWriter found = Intermediate.writer();
    Set<ByteBuffer> visited = new HashSet<>();
    Set<ByteBuffer> searched = new HashSet<>();
    List<Value> frontier = unsearched(elements(start), searched);
    long bytes = 0;
    for (long level = 0; level <= stage.maxDepth() && !frontier.isEmpty(); level++) {
      List<Value> following = new ArrayList<>();
      for (Document document : neighbours(frontier, bytes)) {
        if (visited.add(key(document.field("_id")))) {
          found.add(Value.of(at(document, level)));
          following.addAll(JoinKeys.found(document, stage.fromField()));
          bytes += ENTRY_BYTES + document.length();
        }
      }
      bytes += (long) ENTRY_BYTES * following.size();
      requireMemory(bytes);
      frontier = unsearched(following, searched);
    }
    return Value.array(found.build());
  }

  private List<Document> neighbours(List<Value> values, long kept) {
    Filter reached = JoinKeys.filter(stage.toField(), values, execution.collation());
    Filter both = Filter.and(List.of(stage.restriction(), reached, notAlikeOnly(values)));
    List<Document> documents = new ArrayList<>();
    try (Rows rows = execution.run(stage.from(), Pipeline.of(new Stage.Match(both)))) {
      long bytes = kept;
      while (rows.next()) {
        documents.add(rows.current());
        bytes += ENTRY_BYTES + rows.current().length();
        requireMemory(bytes);
      }
    }
    return documents;
  }

  /**
   * Excludes documents that match null only by the rules of filters: a missing value, or BSON's
   * undefined in place of null and the other way round.
   */
  private Filter notAlikeOnly(List<Value> values) {
    boolean nulls = values.stream().anyMatch(Value::isNull);
    boolean undefined = values.stream().anyMatch(value -> value.type() == Type.UNDEFINED);
    if (!nulls && !undefined) {
      return Filter.all();
    }
    Filter there = new Filter.Exists(stage.toField(), true);
    if (nulls && undefined) {
      return there;
    }
    Type other = nulls ? Type.UNDEFINED : Type.NULL;
    Filter alike = new Filter.OfType(stage.toField(), Set.of(other));
    return Filter.and(List.of(there, new Filter.Not(alike)));
  }

  private Document at(Document document, long level) {
    return depth.isPresent() ? depth.get().put(document, Value.of(level)) : document;
  }

  /** Returns the values that have not been searched yet, each once. */
  private List<Value> unsearched(List<Value> values, Set<ByteBuffer> searched) {
    return values.stream().filter(value -> searched.add(key(value))).toList();
  }

  /** Returns the values to search for; none for a missing start. */
  private static List<Value> elements(Value start) {
    if (!start.isArray()) {
      return start.isMissing() ? List.of() : List.of(start);
    }
    List<Value> values = new ArrayList<>();
    Fields elements = start.asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }

  private ByteBuffer key(Value value) {
    Interrupt.steps(Interrupt.ofBytes(value.length()));
    return ByteBuffer.wrap(key.clear().append(value, Order.MONGO).bytes());
  }

  private void requireMemory(long bytes) {
    if (!memory.hold(bytes)) {
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          EXCEEDED_MEMORY,
          "$graphLookup reached maximum memory consumption");
    }
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    memory.close();
    input.close();
  }
}
