package dev.mayfly.query.pipeline;

import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Each document with an array of the documents of another collection that belong to it. */
final class Joined implements Rows {
  private final Rows input;
  private final Stage.Lookup stage;
  private final Execution execution;
  private final Placement place;
  private final DocumentWriter found = Document.writer();
  private @Nullable Value same;
  private Document current = Document.EMPTY;

  Joined(Rows input, Stage.Lookup stage, Execution execution) {
    this.input = input;
    this.stage = stage;
    this.execution = execution;
    this.place = new Placement(stage.as());
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

  /** What depends on nothing in the document is looked for once. */
  private Value foreign(Document document) {
    boolean depends = stage.join().isPresent() || !stage.variables().isEmpty();
    Value known = same;
    if (known != null && !depends) {
      return known;
    }
    Value array = find(document);
    same = array;
    return array;
  }

  private Value find(Document document) {
    bind(document);
    found.clear();
    try (Rows rows = execution.run(stage.from(), pipeline(document))) {
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

  private Pipeline pipeline(Document document) {
    Optional<Stage.Join> join = stage.join();
    if (join.isEmpty()) {
      return stage.pipeline();
    }
    Filter equal =
        JoinKeys.filter(
            join.get().foreign(), JoinKeys.of(document, join.get().local()), execution.collation());
    return stage.pipeline().afterSource(new Stage.Match(equal));
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    input.close();
  }
}
