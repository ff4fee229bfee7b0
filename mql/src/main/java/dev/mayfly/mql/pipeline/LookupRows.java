package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of {@code $lookup}: each document with an array of matching foreign documents. */
final class LookupRows implements Rows {
  private final Rows input;
  private final Stage.Lookup stage;
  private final Execution execution;
  private final FieldSetter place;
  private final QueryMemory.Holding memory;
  private final DocumentWriter found = Intermediate.writer();
  private @Nullable Value same;
  private boolean tableTried;
  private Optional<ForeignTable> table = Optional.empty();
  private Document current = Document.EMPTY;

  LookupRows(Rows input, Stage.Lookup stage, Execution execution) {
    this.input = input;
    this.stage = stage;
    this.execution = execution;
    this.place = new FieldSetter(stage.as());
    this.memory = execution.workspace().holding();
  }

  @Override
  public boolean next() {
    if (!input.next()) {
      return false;
    }
    Document document = input.current();
    current = place.put(document, foreign(document));
    return true;
  }

  /** A result that depends neither on the document nor on random numbers is computed once. */
  private Value foreign(Document document) {
    Value known = same;
    if (known != null) {
      return known;
    }
    boolean depends = stage.join().isPresent() || !stage.variables().isEmpty();
    long draws = execution.scope().draws();
    Value array = find(document);
    if (!depends && draws == execution.scope().draws()) {
      same = array;
    }
    return array;
  }

  private Value find(Document document) {
    bind(document);
    found.clear();
    try (Rows rows = stage.join().isPresent() ? joined(document, stage.join().get()) : all()) {
      while (rows.next()) {
        found.add(Value.of(rows.current()));
      }
    }
    return Value.array(found.build());
  }

  private void bind(Document document) {
    // All values are computed before the first is set: none may see another.
    Value[] values = new Value[stage.variables().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = stage.variables().get(i).value().evaluate(execution.scope().root(document));
    }
    for (int i = 0; i < values.length; i++) {
      execution.scope().variable(stage.variables().get(i).slot(), values[i]);
    }
  }

  private Rows all() {
    return execution.run(stage.from(), stage.pipeline());
  }

  private Rows joined(Document document, Stage.Join join) {
    List<Value> values = JoinKeys.of(document, join.local());
    Filter equal = JoinKeys.filter(join.foreign(), values, execution.collation());
    Pipeline pipeline = stage.pipeline().afterSource(new Stage.Match(equal));
    // An array also equals a whole array, which the table does not know.
    Optional<ForeignTable> known =
        values.stream().anyMatch(Value::isArray) ? Optional.empty() : table(join);
    return known.isPresent()
        ? execution.over(Rows.of(known.get().candidates(values)), pipeline)
        : execution.run(stage.from(), pipeline);
  }

  /** Returns the foreign collection in memory if it fits and no index serves the join. */
  private Optional<ForeignTable> table(Stage.Join join) {
    if (!tableTried) {
      tableTried = true;
      boolean wanted =
          !stage.pipeline().bringsDocuments()
              && ForeignTable.serves(join.foreign())
              && !execution.isIndexed(stage.from(), join.foreign());
      if (wanted) {
        Rows rows = execution.run(stage.from(), Pipeline.EMPTY);
        table = ForeignTable.of(rows, join.foreign(), execution, memory);
      }
    }
    return table;
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
