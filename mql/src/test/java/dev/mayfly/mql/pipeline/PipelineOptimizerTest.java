package dev.mayfly.mql.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.accumulator.Accumulators;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.query.RootFields;
import dev.mayfly.query.Sort;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class PipelineOptimizerTest {
  private static final Filter ON_A = Filter.equal(FieldPath.of("a.x"), Value.of(1));
  private static final Filter ON_B = Filter.equal(FieldPath.of("b"), Value.of(2));
  private static final Sort BY_A = Sort.ascending(FieldPath.of("a"));

  @Test
  void aConditionMovesInFrontOfWhatLeavesItsFieldsAlone() {
    Stage reshape = new Stage.Reshape((d, _) -> d, PreservedFields.allBut(Set.of("b")));
    Stage both = new Stage.Match(Filter.and(List.of(ON_A, ON_B)));
    assertThat(PipelineOptimizer.plan(List.of(reshape, both)))
        .isEqualTo(List.of(new Stage.Match(ON_A), reshape, new Stage.Match(ON_B)));
    Stage only = new Stage.Reshape((d, _) -> d, PreservedFields.only(Set.of("b")));
    assertThat(PipelineOptimizer.plan(List.of(only, both)))
        .isEqualTo(List.of(new Stage.Match(ON_B), only, new Stage.Match(ON_A)));
    Stage unwind = new Stage.Unwind(FieldPath.of("b.c"), Optional.of(FieldPath.of("i")), false);
    assertThat(PipelineOptimizer.plan(List.of(unwind, order(), both)))
        .isEqualTo(List.of(new Stage.Match(ON_A), unwind, new Stage.Match(ON_B), order()));
  }

  @Test
  void aConditionStaysBehindWhatChoosesByPlace() {
    for (Stage stage : List.of(new Stage.Limit(3), new Stage.Skip(3), new Stage.Sample(3))) {
      List<Stage> stages = List.of(stage, new Stage.Match(ON_A));
      assertThat(PipelineOptimizer.plan(stages)).isEqualTo(stages);
    }
    assertThat(PipelineOptimizer.plan(List.of(order(), new Stage.Limit(3), new Stage.Match(ON_A))))
        .isEqualTo(List.of(new Stage.Order(List.of(BY_A), 3), new Stage.Match(ON_A)));
  }

  @Test
  void anOrderLearnsHowManyAreWanted() {
    assertThat(PipelineOptimizer.plan(List.of(order(), new Stage.Skip(5), new Stage.Limit(10))))
        .startsWith(new Stage.Order(List.of(BY_A), 15), new Stage.Skip(5));
    assertThat(
            PipelineOptimizer.plan(
                List.of(order(), new Stage.Skip(Long.MAX_VALUE), new Stage.Limit(10))))
        .startsWith(order());
  }

  @Test
  void aQueryWantsTheFieldsThatAreLookedAtBeforeDocumentsAreGrouped() {
    GroupField sum =
        new GroupField(
            "sum",
            Accumulation.of(new RootPath(FieldPath.of("c.d")), Accumulators::sum),
            GroupField.Kind.COMPUTES);
    Stage group = new Stage.Group(new RootPath(FieldPath.of("b")), List.of(sum));
    Query grouped = query(new Stage.Match(ON_A), group, new Stage.Match(ON_B));
    assertThat(grouped.wanted()).isEqualTo(new RootFields(Set.of("b", "c"), false));
    assertThat(grouped.reads()).isEqualTo(new RootFields(Set.of("a", "b", "c"), false));
    assertThat(query(order(), new Stage.Limit(3), group).wanted().names())
        .containsExactlyInAnyOrder("a", "b", "c");
    assertThat(query(new Stage.Skip(3), new Stage.Count("n")).reads()).isEqualTo(RootFields.NONE);
  }

  @Test
  void aQueryWantsAllFieldsWhenDocumentsComeOutWhole() {
    assertThat(query(new Stage.Match(ON_A)).reads()).isEqualTo(RootFields.ALL);
    Stage whole = new Stage.Group(new RootPath(FieldPath.of(List.of())), List.of());
    assertThat(query(whole).reads()).isEqualTo(RootFields.ALL);
    Stage computed = new Stage.Group(_ -> Value.of(1), List.of());
    assertThat(query(computed).reads()).isEqualTo(RootFields.ALL);
  }

  @Test
  void documentsMayComeInAnyOrderWhenNothingDependsOnIt() {
    Stage counted = new Stage.Group(Literal.NULL, List.of(GroupField.count("n")));
    GroupField first =
        new GroupField(
            "first",
            Accumulation.of(new RootPath(FieldPath.of("c")), Accumulators::first),
            GroupField.Kind.KEEPS);
    assertThat(query(new Stage.Match(ON_A), counted).scattered()).isTrue();
    assertThat(query(new Stage.Count("n")).scattered()).isTrue();
    assertThat(query(new Stage.Limit(3), counted).scattered()).isFalse();
    assertThat(query(order(), counted).scattered()).isFalse();
    assertThat(query(new Stage.Group(Literal.NULL, List.of(first))).scattered()).isFalse();
    assertThat(query(new Stage.Match(ON_A)).scattered()).isFalse();
  }

  private static Query query(Stage... stages) {
    return PushedDownQuery.unordered(List.of(stages)).query();
  }

  @Test
  void theFirstStagesBecomeOneQuery() {
    List<Stage> stages =
        PipelineOptimizer.plan(
            List.of(
                new Stage.Match(ON_A),
                order(),
                new Stage.Match(ON_B),
                new Stage.Limit(20),
                new Stage.Skip(5),
                new Stage.Limit(30),
                new Stage.Count("n")));
    PushedDownQuery head = PushedDownQuery.ordered(stages);
    assertThat(head.query().filter()).isEqualTo(Filter.and(List.of(ON_A, ON_B)));
    assertThat(head.query().order()).containsExactly(BY_A);
    assertThat(head.query().skip()).isEqualTo(5);
    assertThat(head.query().limit()).isEqualTo(15);
    assertThat(head.left()).containsExactly(new Stage.Count("n"));
  }

  @Test
  void queryOfAViewIsThatOfItsCollection() {
    MemoryCollections collections =
        new MemoryCollections().view("db", "v", "c", Pipeline.of(new Stage.Match(ON_A)));
    Target view = new Target("db", "v");
    Pipeline pipeline = Pipeline.of(new Stage.Match(ON_B), new Stage.Limit(3));
    Environment environment =
        new Environment(
            collections,
            collections.names(view, pipeline),
            Scope.of(0),
            Workspace.memory(1 << 20),
            Collation.SIMPLE,
            new Random(0));
    Query query = new Execution("db", environment).query(view, pipeline);
    assertThat(query.filter()).isEqualTo(Filter.and(List.of(ON_A, ON_B)));
    assertThat(query.limit()).isEqualTo(3);
    assertThat(collections.queries()).isEmpty();
  }

  @Test
  void anOrderThatTheCollectionDoesNotGiveIsLeft() {
    PushedDownQuery head =
        PushedDownQuery.unordered(List.of(new Stage.Match(ON_A), order(), new Stage.Skip(1)));
    assertThat(head.query().order()).isEmpty();
    assertThat(head.query().skip()).isZero();
    assertThat(head.left()).containsExactly(order(), new Stage.Skip(1));
  }

  @Test
  void countingReadsNothing() {
    MemoryCollections collections =
        new MemoryCollections().with("db", "c", List.of(Document.EMPTY, Document.EMPTY));
    assertThat(run(Pipeline.of(new Stage.Skip(1), new Stage.Count("n")), collections))
        .containsExactly(Document.writer().put("n", 1).build());
    assertThat(collections.queries()).isEmpty();
    assertThat(collections.counted()).isOne();
  }

  @Test
  void movedStagesGiveWhatTheyWouldHaveGiven(Random random) {
    for (int round = 0; round < 3000; round++) {
      RandomQueries queries = RandomQueries.bson(random);
      List<Document> documents = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        documents.add(queries.document());
      }
      List<Stage> stages = stages(random, queries);
      MemoryCollections collections = new MemoryCollections().with("db", "c", documents);
      List<Document> plain = oneByOne(stages, documents);
      assertThat(run(new Pipeline(stages), collections)).as("%s", stages).isEqualTo(plain);
      assertThat(run(new Pipeline(stages), collections.ordering()))
          .as("%s with indexes", stages)
          .isEqualTo(plain);
    }
  }

  /** Each stage over the finished result of the one before: nothing to be moved. */
  private static List<Document> oneByOne(List<Stage> stages, List<Document> documents) {
    List<Document> rows = documents;
    for (Stage stage : stages) {
      MemoryCollections step = new MemoryCollections().with("db", "c", rows);
      rows =
          run(
              Pipeline.of(new Stage.Unwind(FieldPath.of("none"), Optional.empty(), true), stage),
              step);
    }
    return rows;
  }

  private static List<Stage> stages(Random random, RandomQueries queries) {
    List<Stage> stages = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      stages.add(
          switch (random.nextInt(8)) {
            case 0, 1 -> new Stage.Match(queries.filter(2));
            case 2 -> new Stage.Limit(1 + random.nextInt(8));
            case 3 -> new Stage.Skip(random.nextInt(4));
            case 4 ->
                new Stage.Order(
                    List.of(new Sort(FieldPath.of("c"), random.nextBoolean())), Long.MAX_VALUE);
            case 5 -> unwind(random);
            case 6 -> drop(random);
            default -> set(random);
          });
    }
    return stages;
  }

  private static Stage unwind(Random random) {
    return new Stage.Unwind(
        FieldPath.of(random.nextBoolean() ? "a" : "b"),
        random.nextBoolean() ? Optional.of(FieldPath.of("c")) : Optional.empty(),
        random.nextBoolean());
  }

  private static Stage drop(Random random) {
    String name = random.nextBoolean() ? "a" : "b";
    FieldSetter fieldSetter = new FieldSetter(FieldPath.of(name));
    return new Stage.Reshape(
        (document, _) -> fieldSetter.put(document, Value.MISSING),
        PreservedFields.allBut(Set.of(name)));
  }

  private static Stage set(Random random) {
    String name = random.nextBoolean() ? "a" : "b";
    FieldSetter fieldSetter = new FieldSetter(FieldPath.of(name));
    return new Stage.Reshape(
        (document, _) -> fieldSetter.put(document, Value.of(2)),
        PreservedFields.allBut(Set.of(name)));
  }

  private static Stage order() {
    return new Stage.Order(List.of(BY_A), Query.NO_LIMIT);
  }

  private static List<Document> run(Pipeline pipeline, MemoryCollections collections) {
    Environment environment =
        new Environment(
            collections,
            ResolvedNames.NO_VIEWS,
            Scope.of(0),
            Workspace.memory(1 << 20),
            Collation.SIMPLE,
            new Random(0));
    List<Document> documents = new ArrayList<>();
    try (Rows rows = new Execution("db", environment).run(new Target("db", "c"), pipeline)) {
      while (rows.next()) {
        documents.add(rows.current());
      }
    }
    assertThat(collections.open()).isZero();
    return documents;
  }
}
