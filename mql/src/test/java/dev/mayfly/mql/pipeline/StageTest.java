package dev.mayfly.mql.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.expression.Comparison;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.RootPath;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.VariablePath;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.Sort;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.query.testing.RandomQueries;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What each stage makes of documents, in Extended JSON. */
@ExtendWith(SeedExtension.class)
final class StageTest {
  private final MemoryCollections collections = new MemoryCollections();

  private int runs;

  @TempDir private Path directory;

  @Test
  void unwindGivesADocumentForEachElement() {
    String documents =
        """
        [{"_id": 1, "a": [1, 2]}, {"_id": 2, "a": []}, {"_id": 3}, {"_id": 4, "a": null},
         {"_id": 5, "a": "x"}, {"_id": 6, "a": [[1]], "b": 7}]
        """;
    assertThat(run(documents, unwind("a", "", false)))
        .isEqualTo(
            list(
                """
                [{"_id": 1, "a": 1}, {"_id": 1, "a": 2}, {"_id": 5, "a": "x"},
                 {"_id": 6, "a": [1], "b": 7}]
                """));
    assertThat(run(documents, unwind("a", "i", true)))
        .isEqualTo(
            list(
                """
                [{"_id": 1, "a": 1, "i": {"$numberLong": "0"}},
                 {"_id": 1, "a": 2, "i": {"$numberLong": "1"}},
                 {"_id": 2, "i": null}, {"_id": 3, "i": null}, {"_id": 4, "a": null, "i": null},
                 {"_id": 5, "a": "x", "i": null},
                 {"_id": 6, "a": [1], "b": 7, "i": {"$numberLong": "0"}}]
                """));
  }

  @Test
  void unwindReachesIntoObjectsButNotThroughArrays() {
    assertThat(run("[{\"a\": {\"b\": [1, 2], \"c\": 3}}]", unwind("a.b", "a.i", false)))
        .isEqualTo(
            list(
                """
                [{"a": {"b": 1, "c": 3, "i": {"$numberLong": "0"}}},
                 {"a": {"b": 2, "c": 3, "i": {"$numberLong": "1"}}}]
                """));
    assertThat(run("[{\"a\": [{\"b\": [1, 2]}]}]", unwind("a.b", "", false))).isEmpty();
  }

  @Test
  void countGivesOneDocumentOrNone() {
    assertThat(run("[{}, {}]", new Stage.Count("n"))).isEqualTo(list("[{\"n\": 2}]"));
    assertThat(run("[]", new Stage.Count("n"))).isEmpty();
  }

  @Test
  void lookupTakesMissingForNullAndEachElementOfAnArray() {
    foreign(
        """
        [{"_id": 1, "k": "a"}, {"_id": 2, "k": null}, {"_id": 3}, {"_id": 4, "k": ["a", "b"]},
         {"_id": 5, "k": "c"}]
        """);
    String local =
        """
        [{"_id": 1, "x": "a"}, {"_id": 2}, {"_id": 3, "x": ["b", "c"]}, {"_id": 4, "x": []},
         {"_id": 5, "x": "z"}]
        """;
    assertThat(run(local, lookup("x", "k", "f._id")))
        .isEqualTo(
            list(
                """
                [{"_id": 1, "x": "a", "f": {"_id": [{"_id": 1, "k": "a"},
                    {"_id": 4, "k": ["a", "b"]}]}},
                 {"_id": 2, "f": {"_id": [{"_id": 2, "k": null}, {"_id": 3}]}},
                 {"_id": 3, "x": ["b", "c"], "f": {"_id": [{"_id": 4, "k": ["a", "b"]},
                    {"_id": 5, "k": "c"}]}},
                 {"_id": 4, "x": [], "f": {"_id": [{"_id": 2, "k": null}, {"_id": 3}]}},
                 {"_id": 5, "x": "z", "f": {"_id": []}}]
                """));
  }

  @Test
  void lookupFansOutOverArraysInThePath() {
    foreign("[{\"_id\": 1}, {\"_id\": 2}, {\"_id\": 3}]");
    assertThat(
            run("[{\"x\": [{\"y\": 1}, 5, {\"y\": [3]}, {}]}]", lookup("x.y", "_id", "x"))
                .getFirst())
        .isEqualTo(document("{\"x\": [{\"_id\": 1}, {\"_id\": 3}]}"));
    assertThat(run("[{\"x\": [7, 2]}]", lookup("x.1", "_id", "x")).getFirst())
        .isEqualTo(document("{\"x\": [{\"_id\": 2}]}"));
  }

  @Test
  void lookupRunsItsPipelineWithVariablesOfTheDocument() {
    foreign("[{\"_id\": 1, \"n\": 5}, {\"_id\": 2, \"n\": 6}]");
    Stage.Step tag =
        (document, scope) ->
            Document.writer()
                .put("id", document.field("_id"))
                .put("of", new VariablePath(1, FieldPath.of(List.of())).evaluate(scope))
                .build();
    Stage lookup =
        new Stage.Lookup(
            Target.here("foreign"),
            Optional.empty(),
            List.of(new Stage.Binding(1, new RootPath(FieldPath.of("x")))),
            Pipeline.of(new Stage.Reshape(tag, PreservedFields.only(Set.of()))),
            FieldPath.of("f"));
    assertThat(run("[{\"x\": 7}, {\"x\": 8}]", lookup))
        .isEqualTo(
            list(
                """
                [{"x": 7, "f": [{"id": 1, "of": 7}, {"id": 2, "of": 7}]},
                 {"x": 8, "f": [{"id": 1, "of": 8}, {"id": 2, "of": 8}]}]
                """));
  }

  @Test
  void aComputedConditionSeesVariablesAndAsksForEqualValuesPlainly() {
    foreign("[{\"_id\": 1, \"n\": 5}, {\"_id\": 2, \"n\": [5]}, {\"_id\": 3, \"n\": 6}]");
    Expression equal =
        new Comparison(
            Operator.EQ,
            new RootPath(FieldPath.of("n")),
            new VariablePath(1, FieldPath.of(List.of())),
            Order.MONGO);
    Filter.Expr condition = new Filter.Expr(new ScopedPredicate(equal));
    Stage lookup =
        new Stage.Lookup(
            Target.here("foreign"),
            Optional.empty(),
            List.of(new Stage.Binding(1, new RootPath(FieldPath.of("x")))),
            Pipeline.of(new Stage.Match(condition)),
            FieldPath.of("f"));
    assertThat(run("[{\"x\": 5}, {\"x\": 7}]", lookup))
        .isEqualTo(list("[{\"x\": 5, \"f\": [{\"_id\": 1, \"n\": 5}]}, {\"x\": 7, \"f\": []}]"));
    assertThat(collections.queries().getLast().filter().conjuncts())
        .contains(Filter.equal(FieldPath.of("n"), Value.of(7)));
  }

  @Test
  void aCollationRulesOrdersAndJoins() {
    Collation caseless = Collation.of(document("{\"locale\": \"en\", \"strength\": 2}"));
    collections.with("db", "c", list("[{\"a\": \"b\"}, {\"a\": \"C\"}, {\"a\": \"A\"}]"));
    collections.ordering();
    foreign("[{\"_id\": \"B\"}]");
    Pipeline pipeline =
        Pipeline.of(
            new Stage.Order(List.of(Sort.ascending(FieldPath.of("a"))), 2),
            lookup("a", "_id", "f"));
    Environment environment =
        new Environment(
            collections, ResolvedNames.NO_VIEWS, Scope.of(0), ample(), caseless, new Random(1));
    assertThat(drain(new Execution("db", environment).run(new Target("db", "c"), pipeline)))
        .isEqualTo(list("[{\"a\": \"A\", \"f\": []}, {\"a\": \"b\", \"f\": [{\"_id\": \"B\"}]}]"));
  }

  @Test
  void aJoinFindsTheSameWithAndWithoutAnIndexOrMemory(Random random) {
    RandomQueries queries = RandomQueries.bson(random);
    for (int round = 0; round < 300; round++) {
      List<Document> documents = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        documents.add(queries.document());
      }
      MemoryCollections fresh =
          new MemoryCollections().with("db", "c", documents).with("db", "foreign", documents);
      Pipeline pipeline =
          Pipeline.of(lookup(queries.path().toString(), queries.path().toString(), "f"));
      List<Document> hashed = run(pipeline, fresh, ample());
      int reads = fresh.queries().size();
      assertThat(run(pipeline, fresh, Workspace.memory(1))).isEqualTo(hashed);
      assertThat(run(pipeline, fresh.ordering(), ample())).as("%s", pipeline).isEqualTo(hashed);
      assertThat(reads).isLessThan(fresh.queries().size() - reads);
    }
  }

  private static List<Document> run(
      Pipeline pipeline, MemoryCollections collections, Workspace workspace) {
    Environment environment =
        new Environment(
            collections,
            ResolvedNames.NO_VIEWS,
            Scope.of(0),
            workspace,
            Collation.SIMPLE,
            new Random(1));
    return drain(new Execution("db", environment).run(new Target("db", "c"), pipeline));
  }

  @Test
  void lookupThatDependsOnNothingReadsOnce() {
    foreign("[{\"_id\": 1}]");
    Stage lookup =
        new Stage.Lookup(
            Target.here("foreign"), Optional.empty(), List.of(), Pipeline.EMPTY, FieldPath.of("f"));
    assertThat(run("[{\"x\": 7}, {\"x\": 8}]", lookup))
        .isEqualTo(list("[{\"x\": 7, \"f\": [{\"_id\": 1}]}, {\"x\": 8, \"f\": [{\"_id\": 1}]}]"));
    assertThat(collections.queries()).hasSize(2);
  }

  @Test
  void graphLookupFindsEachDocumentOnceByTheShortestWay() {
    foreign(
        """
        [{"_id": 1, "to": [2, 3]}, {"_id": 2, "to": 4}, {"_id": 3, "to": 4}, {"_id": 4, "to": 1},
         {"_id": 5, "to": 1}]
        """);
    assertThat(run("[{\"s\": 2}]", graph(Stage.Graph.ANY_DEPTH)).getFirst().field("f"))
        .isEqualTo(
            value(
                """
                [{"_id": 2, "to": 4, "d": {"$numberLong": "0"}},
                 {"_id": 4, "to": 1, "d": {"$numberLong": "1"}},
                 {"_id": 1, "to": [2, 3], "d": {"$numberLong": "2"}},
                 {"_id": 3, "to": 4, "d": {"$numberLong": "3"}}]
                """));
    assertThat(run("[{\"s\": [2, 5]}]", graph(0)).getFirst().field("f"))
        .isEqualTo(
            value(
                """
                [{"_id": 2, "to": 4, "d": {"$numberLong": "0"}},
                 {"_id": 5, "to": 1, "d": {"$numberLong": "0"}}]
                """));
  }

  @Test
  void facetRunsEachPipelineOverTheSameDocuments() {
    Stage facet =
        new Stage.Facet(
            List.of(
                new Stage.Branch("all", Pipeline.of(new Stage.Count("n"))),
                new Stage.Branch("first", Pipeline.of(new Stage.Limit(1))),
                new Stage.Branch("none", Pipeline.of(new Stage.Match(Filter.none())))));
    assertThat(run("[{\"a\": 1}, {\"a\": 2}]", facet))
        .isEqualTo(list("[{\"all\": [{\"n\": 2}], \"first\": [{\"a\": 1}], \"none\": []}]"));
    assertThat(run("[]", facet)).isEqualTo(list("[{\"all\": [], \"first\": [], \"none\": []}]"));
  }

  @Test
  void facetGoesOnInAFileWhenMemoryIsFull() {
    Stage facet =
        new Stage.Facet(
            List.of(
                new Stage.Branch("a", Pipeline.of(new Stage.Count("n"))),
                new Stage.Branch("b", Pipeline.of(new Stage.Skip(98)))));
    collections.with("db", "c", numbers(100));
    assertThat(drain(Workspace.spilling(200, directory), facet))
        .isEqualTo(list("[{\"a\": [{\"n\": 100}], \"b\": [{\"n\": 98}, {\"n\": 99}]}]"));
    assertThat(directory.toFile().list()).isEmpty();
    assertThatThrownBy(() -> drain(Workspace.memory(200), facet))
        .isInstanceOfSatisfying(QueryException.class, e -> assertThat(e.number()).isEqualTo(292));
  }

  @Test
  void unionAppendsTheOtherCollectionOrView() {
    foreign("[{\"_id\": 1}, {\"_id\": 2}]");
    collections.view("db", "seen", "foreign", Pipeline.of(new Stage.Skip(1)));
    assertThat(run("[{\"_id\": 9}]", new Stage.Union(Target.here("foreign"), Pipeline.EMPTY)))
        .isEqualTo(list("[{\"_id\": 9}, {\"_id\": 1}, {\"_id\": 2}]"));
    assertThat(collections.open()).isZero();
    collections.with("db", "d", list("[{\"_id\": 8}]"));
    Pipeline pipeline = Pipeline.of(new Stage.Union(Target.here("seen"), Pipeline.EMPTY));
    Target target = new Target("db", "d");
    Environment environment =
        new Environment(
            collections,
            collections.names(target, pipeline),
            Scope.of(0),
            ample(),
            Collation.SIMPLE,
            new Random(1));
    assertThat(drain(new Execution("db", environment).run(target, pipeline)))
        .isEqualTo(list("[{\"_id\": 8}, {\"_id\": 2}]"));
  }

  @Test
  void redactKeepsPrunesAndDescends() {
    Stage redact =
        new Stage.Redact(
            scope -> {
              Value level = scope.variable(2).asDocument().field("level");
              return switch (level.isMissing() ? 0 : level.asInt()) {
                case 0 -> Stage.Redact.DESCEND;
                case 1 -> Stage.Redact.KEEP;
                default -> Stage.Redact.PRUNE;
              };
            },
            2);
    assertThat(
            run(
                """
                [{"level": 2, "a": 1},
                 {"a": {"level": 2}, "b": {"level": 1, "c": {"level": 2}}, "d": {"e": {"level": 2}},
                  "f": [{"level": 2}, 5, {"g": 1}, [{"level": 2}, 6]]}]
                """,
                redact))
        .isEqualTo(
            list(
                """
                [{"b": {"level": 1, "c": {"level": 2}}, "d": {}, "f": [5, {"g": 1}, [6]]}]
                """));
    assertThatThrownBy(() -> run("[{}]", new Stage.Redact(new Literal(Value.of(1)), 0)))
        .isInstanceOfSatisfying(QueryException.class, e -> assertThat(e.number()).isEqualTo(17053));
  }

  @Test
  void documentsComeFromAnExpression() {
    Pipeline pipeline =
        Pipeline.of(
            new Stage.Documents(new Literal(value("[{\"a\": 1}, {\"a\": 2}]"))),
            new Stage.Match(Filter.equal(FieldPath.of("a"), Value.of(2))));
    assertThat(
            drain(
                new Execution("db", environment(ample())).run(new Target("db", "none"), pipeline)))
        .isEqualTo(list("[{\"a\": 2}]"));
  }

  @Test
  void sampleTakesEachDocumentAtMostOnce() {
    collections.with("db", "c", numbers(50));
    assertThat(drain(ample(), new Stage.Sample(20))).hasSize(20).doesNotHaveDuplicates();
    assertThat(drain(ample(), new Stage.Sample(80))).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  void outReplacesTheWholeCollection() {
    foreign("[{\"_id\": 1}]");
    assertThat(run("[{\"_id\": 7}]", new Stage.Out(Target.here("foreign")))).isEmpty();
    assertThat(collections.documents("db", "foreign")).isEqualTo(list("[{\"_id\": 7}]"));
  }

  @Test
  void mergeDoesWithMatchesWhatItIsTold() {
    String source = "[{\"_id\": 1, \"b\": 2}, {\"_id\": 2, \"b\": 3}]";
    assertThat(merged(source, new Stage.WhenMatched.Replace(), Stage.WhenNotMatched.INSERT))
        .isEqualTo(list("[{\"_id\": 1, \"b\": 2}, {\"_id\": 2, \"b\": 3}]"));
    assertThat(merged(source, new Stage.WhenMatched.Combine(), Stage.WhenNotMatched.DISCARD))
        .isEqualTo(list("[{\"_id\": 1, \"a\": 1, \"b\": 2}]"));
    assertThat(merged(source, new Stage.WhenMatched.Keep(), Stage.WhenNotMatched.INSERT))
        .isEqualTo(list("[{\"_id\": 1, \"a\": 1, \"b\": 1}, {\"_id\": 2, \"b\": 3}]"));
    fails(11000, source, new Stage.WhenMatched.Fail(), Stage.WhenNotMatched.INSERT);
    fails(13113, source, new Stage.WhenMatched.Replace(), Stage.WhenNotMatched.FAIL);
  }

  @Test
  void mergeChangesTheOldDocumentWithVariablesOfTheNew() {
    Stage.Step add =
        (document, scope) ->
            Document.writer()
                .put("_id", document.field("_id"))
                .put("old", document.field("b"))
                .put("new", scope.variable(0))
                .build();
    Stage.WhenMatched change =
        new Stage.WhenMatched.Change(
            List.of(new Stage.Binding(0, new RootPath(FieldPath.of("b")))), List.of(add));
    assertThat(merged("[{\"_id\": 1, \"b\": 5}]", change, Stage.WhenNotMatched.INSERT))
        .isEqualTo(list("[{\"_id\": 1, \"old\": 1, \"new\": 5}]"));
  }

  @Test
  void mergeNeedsKeysThatTellDocumentsApart() {
    fails(51132, "[{\"k\": 1}]", "k2");
    fails(51132, "[{\"k\": null}]", "k");
    fails(51185, "[{\"k\": [1]}]", "k");
    fails(51183, "[{\"many\": 1}]", "many");
  }

  @Test
  void mergeDoesNotChangeAnId() {
    collections.with("db", "target", list("[{\"_id\": 1, \"k\": 1}]"));
    fails(66, "[{\"_id\": 2, \"k\": 1}]", "k");
    collections.with("db", "e", list("[{\"k\": 1, \"x\": 5}, {\"k\": 2}]"));
    drain(
        new Execution("db", environment(ample()))
            .run(
                new Target("db", "e"),
                Pipeline.of(
                    merge("k", new Stage.WhenMatched.Replace(), Stage.WhenNotMatched.INSERT))));
    assertThat(collections.documents("db", "target"))
        .isEqualTo(list("[{\"_id\": 1, \"k\": 1, \"x\": 5}, {\"_id\": \"id1\", \"k\": 2}]"));
  }

  @Test
  void closingEarlyClosesWhatIsRead() {
    collections.with("db", "c", numbers(3));
    Rows rows =
        new Execution("db", environment(ample())).run(new Target("db", "c"), Pipeline.EMPTY);
    assertThat(rows.next()).isTrue();
    assertThat(collections.open()).isOne();
    rows.close();
    rows.close();
    assertThat(collections.open()).isZero();
    assertThat(rows.next()).isFalse();
  }

  @Test
  void orderIsThatOfTheKeysAndStable() {
    Stage order = new Stage.Order(List.of(Sort.descending(FieldPath.of("a"))), Long.MAX_VALUE);
    assertThat(run("[{\"a\": 1, \"i\": 0}, {\"i\": 1}, {\"a\": 2}, {\"a\": 1, \"i\": 3}]", order))
        .isEqualTo(list("[{\"a\": 2}, {\"a\": 1, \"i\": 0}, {\"a\": 1, \"i\": 3}, {\"i\": 1}]"));
  }

  @Test
  void aSourceStageIsAnsweredByWhoeverProvidesIt() {
    assertThat(run("[]", new Stage.Source("$collStats", Document.EMPTY)))
        .isEqualTo(list("[{\"source\": \"$collStats\"}]"));
    assertThat(collections.queries()).isEmpty();
  }

  @Test
  void matchKeepsWhatPasses() {
    Stage match = new Stage.Match(new Filter.Compare(FieldPath.of("a"), Operator.GT, Value.of(1)));
    assertThat(run("[{\"a\": 1}, {\"a\": 2}, {\"a\": \"x\"}]", new Stage.Limit(9), match))
        .isEqualTo(list("[{\"a\": 2}]"));
  }

  private List<Document> merged(
      String source, Stage.WhenMatched matched, Stage.WhenNotMatched notMatched) {
    MemoryCollections fresh =
        new MemoryCollections()
            .with("db", "c", list(source))
            .with("db", "target", list("[{\"_id\": 1, \"a\": 1, \"b\": 1}]"));
    Environment environment =
        new Environment(
            fresh, ResolvedNames.NO_VIEWS, Scope.of(4), ample(), Collation.SIMPLE, new Random(1));
    drain(
        new Execution("db", environment)
            .run(new Target("db", "c"), Pipeline.of(merge("_id", matched, notMatched))));
    return fresh.documents("db", "target");
  }

  private void fails(
      int number, String source, Stage.WhenMatched matched, Stage.WhenNotMatched notMatched) {
    assertThatThrownBy(() -> merged(source, matched, notMatched))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.number()).isEqualTo(number));
  }

  private void fails(int number, String source, String on) {
    assertThatThrownBy(
            () ->
                run(
                    source,
                    merge(on, new Stage.WhenMatched.Replace(), Stage.WhenNotMatched.INSERT)))
        .isInstanceOfSatisfying(
            QueryException.class, e -> assertThat(e.number()).isEqualTo(number));
  }

  private static Stage merge(
      String on, Stage.WhenMatched matched, Stage.WhenNotMatched notMatched) {
    return new Stage.Merge(Target.here("target"), List.of(FieldPath.of(on)), matched, notMatched);
  }

  private static Stage unwind(String path, String index, boolean keepsEmpty) {
    return new Stage.Unwind(
        FieldPath.of(path),
        Optional.of(index).filter(name -> !name.isEmpty()).map(FieldPath::of),
        keepsEmpty);
  }

  private static Stage lookup(String local, String foreign, String as) {
    return new Stage.Lookup(
        Target.here("foreign"),
        Optional.of(new Stage.Join(FieldPath.of(local), FieldPath.of(foreign))),
        List.of(),
        Pipeline.EMPTY,
        FieldPath.of(as));
  }

  private static Stage graph(long maxDepth) {
    return new Stage.Graph(
        Target.here("foreign"),
        new RootPath(FieldPath.of("s")),
        FieldPath.of("to"),
        FieldPath.of("_id"),
        FieldPath.of("f"),
        maxDepth,
        Optional.of(FieldPath.of("d")),
        Filter.all());
  }

  private void foreign(String documents) {
    collections.with("db", "foreign", list(documents));
  }

  private List<Document> run(String documents, Stage... stages) {
    Target fresh = new Target("db", "c" + ++runs);
    collections.with(fresh.database(), fresh.collection(), list(documents));
    return drain(new Execution("db", environment(ample())).run(fresh, Pipeline.of(stages)));
  }

  private List<Document> drain(Workspace workspace, Stage... stages) {
    return drain(
        new Execution("db", environment(workspace))
            .run(new Target("db", "c"), Pipeline.of(stages)));
  }

  private Environment environment(Workspace workspace) {
    return new Environment(
        collections,
        ResolvedNames.NO_VIEWS,
        Scope.of(4),
        workspace,
        Collation.SIMPLE,
        new Random(1));
  }

  private static Workspace ample() {
    return Workspace.memory(1 << 20);
  }

  private static List<Document> drain(Rows rows) {
    List<Document> documents = new ArrayList<>();
    try (rows) {
      while (rows.next()) {
        documents.add(rows.current());
      }
    }
    return documents;
  }

  private static List<Document> numbers(int count) {
    List<Document> documents = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      documents.add(Document.writer().put("n", i).build());
    }
    return documents;
  }

  private static Document document(String json) {
    return ExtendedJson.parse(json, Limits.MONGO);
  }

  private static Value value(String json) {
    return ExtendedJson.parseValue(json, Limits.MONGO);
  }

  private static List<Document> list(String json) {
    List<Document> documents = new ArrayList<>();
    var elements = value(json).asDocument().fields();
    while (elements.next()) {
      documents.add(elements.value().asDocument());
    }
    return documents;
  }
}
