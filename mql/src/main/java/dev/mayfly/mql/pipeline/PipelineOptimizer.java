package dev.mayfly.mql.pipeline;

import dev.mayfly.query.Filter;
import dev.mayfly.query.RootFields;
import dev.mayfly.value.FieldPath;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reorders stages to reduce work without changing the result.
 *
 * <ul>
 *   <li>A {@code $match} moves before stages that preserve the fields it reads, so that an index
 *       can serve it and fewer documents pass through them.
 *   <li>A {@code $sort} learns the limit that follows it.
 *   <li>Adjacent stages of one kind are merged.
 * </ul>
 *
 * <p>As in MongoDB, a stage that would have failed on a document may no longer see it.
 */
final class PipelineOptimizer {
  private final List<Stage> done = new ArrayList<>();

  private PipelineOptimizer() {}

  /** Returns the optimized stages. */
  static List<Stage> plan(List<Stage> stages) {
    PipelineOptimizer pipelineOptimizer = new PipelineOptimizer();
    stages.forEach(pipelineOptimizer::add);
    return List.copyOf(pipelineOptimizer.done);
  }

  private void add(Stage stage) {
    switch (stage) {
      case Stage.Match(Filter filter) -> filter.conjuncts().forEach(this::addCondition);
      case Stage.Limit(long count) -> addLimit(count);
      case Stage.Skip(long count) -> addSkip(count);
      default -> done.add(stage);
    }
  }

  private void addCondition(Filter condition) {
    RootFields fields = RootFields.of(condition);
    int at = done.size();
    while (at > 0 && passes(fields, done.get(at - 1))) {
      at--;
    }
    if (at < done.size() && done.get(at) instanceof Stage.Match(Filter others)) {
      done.set(at, new Stage.Match(Filter.and(List.of(others, condition))));
    } else {
      done.add(at, new Stage.Match(condition));
    }
  }

  /** Returns whether a condition on these fields may move before the stage. */
  private static boolean passes(RootFields fields, Stage stage) {
    return switch (stage) {
      case Stage.Match _ -> true;
      case Stage.Order(_, long limit) -> limit == Long.MAX_VALUE;
      case Stage.Reshape(_, PreservedFields preservedFields) -> isIn(preservedFields, fields);
      case Stage.Lookup lookup -> isIn(PreservedFields.allBut(Set.of(lookup.as().step(0))), fields);
      case Stage.Graph graph -> isIn(PreservedFields.allBut(Set.of(graph.as().step(0))), fields);
      case Stage.Unwind unwind -> isIn(PreservedFields.allBut(touched(unwind)), fields);
      default -> false;
    };
  }

  private static boolean isIn(PreservedFields preservedFields, RootFields fields) {
    return !fields.all() && preservedFields.containsAll(fields.names());
  }

  private static Set<String> touched(Stage.Unwind unwind) {
    Set<String> names = new HashSet<>(Set.of(unwind.path().step(0)));
    unwind.index().map((FieldPath index) -> index.step(0)).ifPresent(names::add);
    return names;
  }

  private void addLimit(long count) {
    limitOrder(count);
    if (!done.isEmpty() && done.getLast() instanceof Stage.Limit(long before)) {
      done.set(done.size() - 1, new Stage.Limit(Math.min(before, count)));
    } else if (!(!done.isEmpty() && done.getLast() instanceof Stage.Order)) {
      done.add(new Stage.Limit(count));
    }
  }

  /** Passes a limit to the preceding sort, including the documents that are skipped. */
  private void limitOrder(long count) {
    long wanted = count;
    int at = done.size() - 1;
    while (at >= 0 && done.get(at) instanceof Stage.Skip(long skipped)) {
      wanted = sum(wanted, skipped);
      at--;
    }
    if (at >= 0 && done.get(at) instanceof Stage.Order(var keys, long limit)) {
      done.set(at, new Stage.Order(keys, Math.min(limit, wanted)));
    }
  }

  private void addSkip(long count) {
    if (!done.isEmpty() && done.getLast() instanceof Stage.Skip(long before)) {
      done.set(done.size() - 1, new Stage.Skip(sum(before, count)));
    } else if (count > 0) {
      done.add(new Stage.Skip(count));
    }
  }

  private static long sum(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
