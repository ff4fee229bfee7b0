package dev.mayfly.engine;

import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.Query;
import dev.mayfly.store.Range;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Chooses how a query finds its documents: by key, by the index that narrows most, or by scan. */
final class Planner {
  private final CollectionState state;
  private final Query query;

  private Planner(CollectionState state, Query query) {
    this.state = state;
    this.query = query;
  }

  /**
   * @param arrays the parts of an index that have met an array, a bit each
   */
  static Plan plan(CollectionState state, Query query, ToLongFunction<IndexState> arrays) {
    Planner planner = new Planner(state, query);
    return planner
        .point()
        .or(() -> planner.index(arrays))
        .orElseGet(() -> new Plan.Records(planner.partition().orElse(Range.all())));
  }

  private Optional<Plan> point() {
    Value id = equal(state.spec().dialect().id());
    List<Value> partition = partitionValues();
    if (id.isMissing() || partition.size() < state.spec().partitionKey().size()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Plan.Point(PrimaryKey.of(state.spec(), new DocumentKey(partition, id))));
    } catch (EngineException notAnId) {
      return Optional.empty();
    }
  }

  private List<Value> partitionValues() {
    List<Value> values = new ArrayList<>();
    for (FieldPath path : state.spec().partitionKey()) {
      Value value = equal(path);
      if (value.isMissing()) {
        break;
      }
      values.add(value);
    }
    return values;
  }

  /** The scalar that the filter demands at a path, or missing. */
  private Value equal(FieldPath path) {
    for (Filter conjunct : query.filter().conjuncts()) {
      if (conjunct instanceof Filter.Compare(FieldPath at, Operator operator, Value value)
          && operator == Operator.EQ
          && at.equals(path)
          && scalar(value)) {
        return value;
      }
    }
    return Value.MISSING;
  }

  private static boolean scalar(Value value) {
    return !value.isMissing()
        && !value.isNull()
        && !value.isArray()
        && !value.isDocument()
        && value.type() != Type.UNDEFINED;
  }

  private Optional<Plan> index(ToLongFunction<IndexState> arrays) {
    Plan.Index best = null;
    for (IndexState index : state.indexes()) {
      boolean usable =
          index.ready() && !(index.spec().unique() && !state.spec().partitionKey().isEmpty());
      if (usable) {
        Optional<IndexMatch> match =
            IndexMatch.of(index.spec(), query.filter(), query.order(), arrays.applyAsLong(index));
        if (match.isPresent() && (best == null || better(match.get(), best.match()))) {
          best = new Plan.Index(index, match.get());
        }
      }
    }
    return Optional.<Plan>ofNullable(best).filter(this::pays);
  }

  /** A whole index is worth reading only for its order. */
  private boolean pays(Plan plan) {
    return plan instanceof Plan.Index(_, IndexMatch match)
        && (match.bounds().parts() > 0 || (!query.order().isEmpty() && plan.ordered()));
  }

  private static boolean better(IndexMatch a, IndexMatch b) {
    if (a.bounds().parts() != b.bounds().parts()) {
      return a.bounds().parts() > b.bounds().parts();
    }
    boolean sorted = a.direction() != IndexMatch.Direction.UNORDERED;
    boolean otherSorted = b.direction() != IndexMatch.Direction.UNORDERED;
    return sorted != otherSorted ? sorted : a.bounds().exact() && !b.bounds().exact();
  }

  /** The records of the partition that the filter demands, if it demands one. */
  private Optional<Range> partition() {
    List<Value> values = partitionValues();
    if (values.isEmpty()) {
      return Optional.empty();
    }
    KeyWriter prefix = new KeyWriter();
    for (Value value : values) {
      prefix.append(value, state.spec().dialect().order());
    }
    return Optional.of(Range.prefix(prefix.bytes()));
  }
}
