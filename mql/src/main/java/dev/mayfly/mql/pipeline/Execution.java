package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.ArrayRows;
import dev.mayfly.mql.rows.CountRows;
import dev.mayfly.mql.rows.InterruptibleRows;
import dev.mayfly.mql.rows.LazyRows;
import dev.mayfly.mql.rows.MapRows;
import dev.mayfly.mql.rows.MatchRows;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.mql.rows.SkipLimitRows;
import dev.mayfly.mql.rows.SortKeepingMetadata;
import dev.mayfly.mql.rows.SortRows;
import dev.mayfly.mql.rows.UnionRows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentComparator;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.function.Predicate;

/**
 * One run of a pipeline in one database: builds the rows of its stages.
 *
 * <pre>{@code
 * try (Rows rows = new Execution("shop", environment).run(target, pipeline)) {
 *   while (rows.next()) {
 *     reply.add(rows.current());
 *   }
 * }
 * }</pre>
 */
public final class Execution {
  private final String database;
  private final Environment environment;

  /**
   * @param database of the collection or view; names in stages belong to it
   */
  public Execution(String database, Environment environment) {
    this.database = database;
    this.environment = environment;
  }

  PipelineSource collections() {
    return environment.collections();
  }

  Scope scope() {
    return environment.scope();
  }

  Workspace workspace() {
    return environment.workspace();
  }

  Collation collation() {
    return environment.collation();
  }

  /** Returns the full name of a target. */
  Target resolve(Target target) {
    return target.in(database);
  }

  /** Returns whether an index finds documents by the value at the path; false for a view. */
  boolean isIndexed(Target target, FieldPath path) {
    ResolvedNames.Origin origin = environment.names().origin(resolve(target));
    return origin.view().stages().isEmpty() && collections().indexed(origin.collection(), path);
  }

  /**
   * Returns the rows of a pipeline over a collection or view. Opens them on the first {@code next}.
   *
   * <p>A pipeline that {@linkplain Pipeline#writes writes} has no rows, and writes on the first
   * {@code next}.
   */
  public Rows run(Target target, Pipeline pipeline) {
    return new LazyRows(() -> open(target.in(database), pipeline));
  }

  /** Returns the rows of a pipeline over given rows. */
  public Rows over(Rows input, Pipeline pipeline) {
    return apply(plan(pipeline.stages()), new InterruptibleRows(input, workspace()));
  }

  private Rows open(Target target, Pipeline pipeline) {
    if (pipeline.bringsDocuments()) {
      return generate(target, pipeline);
    }
    ResolvedNames.Origin origin = environment.names().origin(target);
    Target collection = origin.collection();
    List<Stage> stages = plan(pipeline.prepend(origin.view()).stages());
    PushedDownQuery ordered = ordered(stages);
    if (ordered.query().order().isEmpty()) {
      return read(collection, ordered);
    }
    PipelineSource.PlannedRows planned = collections().readUnsorted(collection, ordered.query());
    PushedDownQuery read = planned.inOrder() ? ordered : PushedDownQuery.unordered(stages);
    return apply(read.left(), planned.rows());
  }

  /**
   * Returns the query that {@link #run} would send to the collection, for explain.
   *
   * <p>Only for a pipeline that does not {@linkplain Pipeline#bringsDocuments bring} its documents
   * along.
   */
  public Query query(Target target, Pipeline pipeline) {
    ResolvedNames.Origin origin = environment.names().origin(target);
    List<Stage> stages = plan(pipeline.prepend(origin.view()).stages());
    Query ordered = ordered(stages).query();
    return ordered.order().isEmpty() || collections().ordered(origin.collection(), ordered)
        ? ordered
        : PushedDownQuery.unordered(stages).query();
  }

  /** A collection returns documents in order only for the simple collation. */
  private PushedDownQuery ordered(List<Stage> stages) {
    return collation().simple()
        ? PushedDownQuery.ordered(stages)
        : PushedDownQuery.unordered(stages);
  }

  private List<Stage> plan(List<Stage> stages) {
    if (stages.stream().anyMatch(Execution::draws)) {
      scope().draw();
    }
    return PipelineOptimizer.plan(new Binder(scope(), collation()).bind(stages));
  }

  /** Returns whether a stage selects documents at random; random expressions are detected later. */
  private static boolean draws(Stage stage) {
    return switch (stage) {
      case Stage.Sample _ -> true;
      case Stage.Match(Filter filter) -> draws(filter);
      case Stage _ -> false;
    };
  }

  private static boolean draws(Filter filter) {
    return switch (filter) {
      case Filter.Sampled _ -> true;
      case Filter.And(List<Filter> members) -> members.stream().anyMatch(Execution::draws);
      case Filter.Or(List<Filter> members) -> members.stream().anyMatch(Execution::draws);
      case Filter.Not(Filter member) -> draws(member);
      case Filter _ -> false;
    };
  }

  private Rows generate(Target target, Pipeline pipeline) {
    List<Stage> rest = pipeline.stages().subList(1, pipeline.stages().size());
    Rows rows =
        switch (pipeline.stages().getFirst()) {
          case Stage.Source source -> collections().source(target, source);
          case Stage.Documents(Expression array) -> ArrayRows.of(array, scope());
          case Stage other -> throw new IllegalStateException("brings no documents: " + other);
        };
    return apply(plan(rest), rows);
  }

  private Rows read(Target collection, PushedDownQuery head) {
    Query query = head.query();
    List<Stage> left = head.left();
    if (!left.isEmpty() && left.getFirst() instanceof Stage.Count(String field)) {
      Rows counted =
          CountRows.of(() -> collections().count(collection, query), n -> count(field, n));
      return apply(left.subList(1, left.size()), counted);
    }
    if (!left.isEmpty() && left.getFirst() instanceof Stage.Group group && group.onlyCounts()) {
      Rows counted =
          CountRows.of(
              () -> collections().count(collection, query),
              n -> GroupField.counted(group.key().evaluate(scope()), group.gatherings(), n));
      return apply(left.subList(1, left.size()), counted);
    }
    return apply(left, collections().read(collection, query));
  }

  /** Closes the input if a stage cannot be built on it. */
  private Rows apply(List<Stage> stages, Rows input) {
    Rows rows = input;
    try {
      for (Stage stage : stages) {
        rows = new InterruptibleRows(apply(stage, rows), workspace());
      }
      return rows;
    } catch (RuntimeException | StackOverflowError failure) {
      rows.close();
      throw failure;
    }
  }

  private Rows apply(Stage stage, Rows input) {
    return switch (stage) {
      case Stage.Match(Filter filter) -> new MatchRows(input, test(filter));
      case Stage.Reshape(Stage.Step step, _) ->
          new MapRows(input, document -> step.apply(document, scope().root(document)));
      case Stage.Order(List<Sort> keys, long limit) ->
          scope().keepsMetadata()
              ? SortKeepingMetadata.sorted(input, comparator(keys), limit, workspace(), scope())
              : new SortRows(input, comparator(keys)::key, limit, workspace());
      case Stage.Group group -> new GroupRows(input, group, this);
      case Stage.Buckets buckets -> new BucketAutoRows(input, buckets, this);
      case Stage.Window window -> new WindowRows(input, window, this);
      case Stage.Densify densify -> new DensifyRows(input, densify, workspace());
      case Stage.Limit(long count) -> new SkipLimitRows(input, 0, count);
      case Stage.Skip(long count) -> new SkipLimitRows(input, count, Long.MAX_VALUE);
      case Stage.Count(String field) -> CountRows.of(input, n -> count(field, n));
      case Stage.Unwind unwind -> new UnwindRows(input, unwind);
      case Stage.Lookup lookup -> new LookupRows(input, lookup, this);
      case Stage.Sample(long size) -> new SortRows(input, this::randomKey, size, workspace());
      case Stage.Facet(List<Stage.Branch> branches) -> new FacetRows(input, branches, this);
      case Stage.Union(Target from, Pipeline pipeline) -> new UnionRows(input, run(from, pipeline));
      case Stage.Graph graph -> new GraphLookupRows(input, graph, this);
      case Stage.Redact redact -> new RedactRows(input, redact, scope());
      case Stage.Out(Target into) -> OutRows.replacing(input, resolve(into), collections());
      case Stage.Merge merge -> OutRows.merging(input, merge, this);
      case Stage.Source _, Stage.Documents _ ->
          throw new IllegalStateException("only the first stage can bring documents");
    };
  }

  /** Returns a predicate that evaluates the filter in the scope of this run. */
  Predicate<Document> test(Filter filter) {
    Matcher matcher = filter.matcher(Mode.MATCH);
    return matcher::matches;
  }

  /** Returns the comparator of these keys. */
  DocumentComparator comparator(List<Sort> keys) {
    return new DocumentComparator(keys, Mode.MATCH, collation());
  }

  /** Returns the value as it is compared: folded by the collation. */
  Value fold(Value value) {
    return collation().fold(value);
  }

  private byte[] randomKey(Document document) {
    return new KeyWriter().appendLong(environment.random().nextLong()).bytes();
  }

  private static Document count(String field, long number) {
    return Document.writer().put(field, CountRows.number(number)).build();
  }
}
