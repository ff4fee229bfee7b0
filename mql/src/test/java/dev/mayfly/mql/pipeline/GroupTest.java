package dev.mayfly.mql.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.accumulator.Accumulators;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.Sort;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Stages that gather: groups, buckets and windows. */
@ExtendWith(SeedExtension.class)
final class GroupTest {
  @TempDir private Path directory;

  @Test
  void equalNumbersAreOneGroupSpelledAsTheFirst() {
    assertThat(
            run(
                """
                [{"k": 1, "v": 1}, {"k": {"$numberLong": "1"}, "v": 2}, {"k": 1.0, "v": 3},
                 {"k": "1", "v": 4}, {"k": -0.0, "v": 5}, {"k": 0, "v": 6}]
                """,
                group()))
        .isEqualTo(
            list(
                """
                [{"_id": 1, "n": 3, "all": [1, 2, 3]}, {"_id": "1", "n": 1, "all": [4]},
                 {"_id": -0.0, "n": 2, "all": [5, 6]}]
                """));
  }

  @Test
  void missingIsNullAndNestedNumbersAreEqualToo() {
    assertThat(
            run(
                """
                [{"v": 1}, {"k": null, "v": 2}, {"k": {"a": 1}, "v": 3}, {"k": {"a": 1.0}, "v": 4},
                 {"k": [], "v": 5}]
                """,
                group()))
        .isEqualTo(
            list(
                """
                [{"_id": null, "n": 2, "all": [1, 2]}, {"_id": {"a": 1}, "n": 2, "all": [3, 4]},
                 {"_id": [], "n": 1, "all": [5]}]
                """));
  }

  @Test
  void nothingMakesNoGroupAndNothingGatheredIsNull() {
    assertThat(run("[]", new Stage.Group(Literal.NULL, List.of(GroupField.count("n"))))).isEmpty();
    assertThat(
            run(
                "[{}]",
                new Stage.Group(Literal.NULL, List.of(gathering("x", Accumulators::first)))))
        .isEqualTo(list("[{\"_id\": null, \"x\": null}]"));
  }

  @Test
  void countingOneGroupReadsNoDocuments() {
    MemoryCollections collections =
        new MemoryCollections().with("db", "c", list("[{\"a\": 1}, {\"a\": 2}, {\"a\": 2}]"));
    Pipeline pipeline =
        Pipeline.of(
            new Stage.Match(Filter.equal(FieldPath.of("a"), Value.of(2))),
            new Stage.Group(new Literal(Value.of(1)), List.of(GroupField.count("n"))));
    assertThat(drain(pipeline, collections, Workspace.memory(1 << 20)))
        .isEqualTo(list("[{\"_id\": 1, \"n\": 2}]"));
    assertThat(collections.queries()).isEmpty();
    assertThat(collections.counted()).isOne();
  }

  @Test
  void groupsThatDoNotFitAreGatheredFromFilesAsInMemory(Random random) {
    for (int round = 0; round < 8; round++) {
      int keys = 1 + random.nextInt(random.nextBoolean() ? 5 : 400);
      List<Document> documents = new ArrayList<>();
      Map<Integer, List<Value>> expected = new LinkedHashMap<>();
      for (int i = random.nextInt(2000); i > 0; i--) {
        int key = random.nextInt(keys);
        documents.add(Document.writer().put("k", key).put("v", i).build());
        expected.computeIfAbsent(key, _ -> new ArrayList<>()).add(Value.of(i));
      }
      MemoryCollections collections = new MemoryCollections().with("db", "c", documents);
      for (long memory : new long[] {3_000, 12_000, 1 << 24}) {
        Map<Integer, List<Value>> found = new LinkedHashMap<>();
        Workspace workspace = Workspace.spilling(memory, directory);
        for (Document group : drain(Pipeline.of(group()), collections, workspace)) {
          List<Value> all = elements(group.field("all"));
          assertThat(found.put(group.field("_id").asInt(), all)).isNull();
          assertThat(group.field("n").asInt()).isEqualTo(all.size());
        }
        assertThat(found).isEqualTo(expected);
      }
      assertThat(directory.toFile().list()).isEmpty();
    }
  }

  @Test
  void groupsThatDoNotFitAreAnErrorWithoutADirectory() {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      documents.add(Document.writer().put("k", i).put("v", i).build());
    }
    MemoryCollections collections = new MemoryCollections().with("db", "c", documents);
    assertThatThrownBy(() -> drain(Pipeline.of(group()), collections, Workspace.memory(9_000)))
        .isInstanceOfSatisfying(QueryException.class, e -> assertThat(e.number()).isEqualTo(292));
  }

  @Test
  void bucketsAreOfAboutTheSameSizeAndDoNotDivideEqualValues() {
    String documents = "[{\"k\": 5}, {\"k\": 1}, {\"k\": 2}, {\"k\": 2}, {\"k\": 2}, {\"k\": 9}]";
    assertThat(run(documents, buckets(3, "")))
        .isEqualTo(
            list(
                """
                [{"_id": {"min": 1, "max": 5}, "n": 4}, {"_id": {"min": 5, "max": 9}, "n": 2}]
                """));
    assertThat(run(documents, buckets(1, "")))
        .isEqualTo(list("[{\"_id\": {\"min\": 1, \"max\": 9}, \"n\": 6}]"));
    assertThat(run(documents, buckets(100, ""))).hasSize(4);
    assertThat(run("[]", buckets(3, ""))).isEmpty();
  }

  @Test
  void aGranularityMovesTheBorders() {
    assertThat(
            run(
                "[{\"k\": 0}, {\"k\": 3}, {\"k\": 8}, {\"k\": 15}, {\"k\": 21}]",
                buckets(2, "POWERSOF2")))
        .isEqualTo(
            list(
                """
                [{"_id": {"min": 0, "max": 16}, "n": 4},
                 {"_id": {"min": 16, "max": 32}, "n": 1}]
                """));
    assertThat(run("[{\"k\": 12}, {\"k\": 13}, {\"k\": 70}]", buckets(2, "1-2-5")))
        .isEqualTo(
            list(
                """
                [{"_id": {"min": 10.0, "max": 20.0}, "n": 2},
                 {"_id": {"min": 20.0, "max": 100.0}, "n": 1}]
                """));
    fails(40258, "[{\"k\": \"x\"}]", buckets(2, "R5"));
    fails(40260, "[{\"k\": -1}]", buckets(2, "R5"));
  }

  @Test
  void seriesHaveTheNumbersOfTheirStandards() {
    Granularity e96 = Granularity.of("E96").orElseThrow();
    assertThat(e96.roundUp(100)).isEqualTo(102);
    assertThat(e96.roundDown(1000)).isEqualTo(976);
    assertThat(Granularity.of("E192").orElseThrow().roundUp(909)).isEqualTo(920);
    assertThat(Granularity.of("R5").orElseThrow().roundUp(63)).isEqualTo(100);
    assertThat(Granularity.of("R80").orElseThrow().roundUp(0.1)).isEqualTo(0.103);
    assertThat(Granularity.of("E7")).isEmpty();
  }

  @Test
  void windowsOfPlacesSlideWithTheDocument() {
    assertThat(window(gathered(new WindowFunction.Bounds.Places(-1, 0))))
        .isEqualTo("[[1], [1, 2], [2, 4], [4, 7]]");
    assertThat(window(gathered(new WindowFunction.Bounds.Places(Long.MIN_VALUE, 0))))
        .isEqualTo("[[1], [1, 2], [1, 2, 4], [1, 2, 4, 7]]");
    assertThat(window(gathered(new WindowFunction.Bounds.Places(1, Long.MAX_VALUE))))
        .isEqualTo("[[2, 4, 7], [4, 7], [7], []]");
    assertThat(window(gathered(new WindowFunction.Bounds.Places(-9, -8))))
        .isEqualTo("[[], [], [], []]");
  }

  @Test
  void windowsOfDistanceGoByTheValue() {
    assertThat(window(gathered(distance(-2, 1)))).isEqualTo("[[1, 2], [1, 2], [2, 4], [7]]");
    assertThat(window(gathered(distance(Double.NEGATIVE_INFINITY, -1))))
        .isEqualTo("[[], [1], [1, 2], [1, 2, 4]]");
  }

  @Test
  void windowsOverDatesAreInUnitsOfTime() {
    String documents =
        """
        [{"k": {"$date": "2024-01-31T00:00:00Z"}, "v": 1},
         {"k": {"$date": "2024-02-29T00:00:00Z"}, "v": 2},
         {"k": {"$date": "2024-03-30T00:00:00Z"}, "v": 3}]
        """;
    WindowFunction month =
        gathered(new WindowFunction.Bounds.Distance(-1, 0, Optional.of(ChronoUnit.MONTHS)));
    assertThat(window(documents, month)).isEqualTo("[[1], [1, 2], [2, 3]]");
    WindowFunction slope =
        new WindowFunction.Derivative(
            path("v"), Optional.of(ChronoUnit.DAYS), new WindowFunction.Bounds.Places(-1, 0));
    assertThat(window(documents, slope)).isEqualTo("[null, " + 1.0 / 29 + ", " + 1.0 / 30 + "]");
    fails(5429414, "[{\"k\": \"x\"}]", windowStage(gathered(distance(-1, 1))));
  }

  @Test
  void ranksCountEqualOnesOnce() {
    String documents = "[{\"k\": 1}, {\"k\": 2}, {\"k\": 2}, {\"k\": 3}]";
    assertThat(window(documents, new WindowFunction.Rank(false))).isEqualTo("[1, 2, 2, 4]");
    assertThat(window(documents, new WindowFunction.Rank(true))).isEqualTo("[1, 2, 2, 3]");
    assertThat(window(documents, new WindowFunction.Position())).isEqualTo("[1, 2, 3, 4]");
  }

  @Test
  void shiftsLookAheadAndBehind() {
    assertThat(window(new WindowFunction.Shift(path("v"), 1, Value.of("end"))))
        .isEqualTo("[2, 4, 7, \"end\"]");
    assertThat(window(new WindowFunction.Shift(path("v"), -2, Value.NULL)))
        .isEqualTo("[null, null, 1, 2]");
  }

  @Test
  void integralsAveragesAndCovariances() {
    WindowFunction.Bounds sofar = new WindowFunction.Bounds.Places(Long.MIN_VALUE, 0);
    assertThat(window(new WindowFunction.Integral(path("v"), Optional.empty(), sofar)))
        .isEqualTo("[0.0, 1.5, 7.5, 24.0]");
    assertThat(window(new WindowFunction.MovingAverage(path("v"), Value.of(0.5))))
        .isEqualTo("[1.0, 1.5, 2.75, 4.875]");
    assertThat(window(new WindowFunction.Covariance(path("k"), path("v"), false, sofar)))
        .startsWith("[0.0, 0.25, ");
    assertThat(window(new WindowFunction.Covariance(path("k"), path("v"), true, sofar)))
        .startsWith("[null, 0.5, ");
  }

  @Test
  void gapsAreFilledAlongALineOrWithTheLastValue() {
    String documents =
        "[{\"k\": 0}, {\"k\": 1, \"v\": 10}, {\"k\": 2, \"v\": null}, {\"k\": 5, \"v\": 50},"
            + " {\"k\": 6}]";
    assertThat(window(documents, new WindowFunction.LinearFill(path("v"))))
        .isEqualTo("[null, 10, 20.0, 50, null]");
    assertThat(window(documents, new WindowFunction.CarriedForward(path("v"))))
        .isEqualTo("[null, 10, 10, 50, 50]");
    fails(
        6050106, "[{\"k\": 1}, {\"k\": 1}]", windowStage(new WindowFunction.LinearFill(path("v"))));
  }

  @Test
  void partitionsAreComputedApart() {
    Stage stage =
        new Stage.Window(
            path("p"),
            List.of(Sort.ascending(FieldPath.of("k"))),
            List.of(new Stage.Output(FieldPath.of("x.y"), new WindowFunction.Position())));
    assertThat(
            run("[{\"p\": 2, \"k\": 1}, {\"k\": 5}, {\"p\": 2, \"k\": 0}, {\"p\": null}]", stage))
        .isEqualTo(
            list(
                """
                [{"p": null, "x": {"y": 1}},
                 {"k": 5, "x": {"y": 2}},
                 {"p": 2, "k": 0, "x": {"y": 1}},
                 {"p": 2, "k": 1, "x": {"y": 2}}]
                """));
    fails(14, "[{\"p\": []}]", stage);
  }

  private String window(WindowFunction function) {
    return window(
        "[{\"k\": 7, \"v\": 7}, {\"k\": 1, \"v\": 1}, {\"k\": 4, \"v\": 4}, {\"k\": 2, \"v\": 2}]",
        function);
  }

  private String window(String documents, WindowFunction function) {
    List<Value> values =
        run(documents, windowStage(function)).stream().map(row -> row.field("w")).toList();
    return ExtendedJson.relaxed(Value.array(values)).replace(",", ", ").replace(",  ", ", ");
  }

  private static Stage windowStage(WindowFunction function) {
    return new Stage.Window(
        Literal.NULL,
        List.of(Sort.ascending(FieldPath.of("k"))),
        List.of(new Stage.Output(FieldPath.of("w"), function)));
  }

  private static WindowFunction gathered(WindowFunction.Bounds bounds) {
    return new WindowFunction.Gathered(Accumulation.of(path("v"), Accumulators::all), bounds);
  }

  private static WindowFunction.Bounds distance(double lower, double upper) {
    return new WindowFunction.Bounds.Distance(lower, upper, Optional.empty());
  }

  private static Stage.Group group() {
    return new Stage.Group(
        path("k"), List.of(GroupField.count("n"), gathering("all", Accumulators::all)));
  }

  private static GroupField gathering(String field, Supplier<Accumulator> start) {
    return new GroupField(field, Accumulation.of(path("v"), start), GroupField.Kind.KEEPS);
  }

  private static Stage buckets(int count, String granularity) {
    return new Stage.Buckets(
        path("k"), count, List.of(GroupField.count("n")), Granularity.of(granularity));
  }

  private static Expression path(String dotted) {
    return new RootPath(FieldPath.of(dotted));
  }

  private void fails(int number, String documents, Stage stage) {
    assertThatThrownBy(() -> run(documents, stage))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.number()).isEqualTo(number));
  }

  private List<Document> run(String documents, Stage stage) {
    MemoryCollections collections = new MemoryCollections().with("db", "c", list(documents));
    return drain(Pipeline.of(stage), collections, Workspace.memory(1 << 20));
  }

  private static List<Document> drain(
      Pipeline pipeline, MemoryCollections collections, Workspace workspace) {
    Environment environment =
        new Environment(
            collections,
            ResolvedNames.NO_VIEWS,
            Scope.of(0),
            workspace,
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

  private static List<Document> list(String json) {
    return elements(ExtendedJson.parseValue(json, Limits.MONGO)).stream()
        .map(Value::asDocument)
        .toList();
  }

  private static List<Value> elements(Value array) {
    List<Value> values = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }
}
