package dev.mayfly.mql.parser.pipeline;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.QueryErrors;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.pipeline.Environment;
import dev.mayfly.mql.pipeline.Execution;
import dev.mayfly.mql.pipeline.MemoryCollections;
import dev.mayfly.mql.pipeline.Pipeline;
import dev.mayfly.mql.pipeline.ResolvedNames;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Collation;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.ValueSource;

final class PipelineParserTest {
  private static final String OTHERS =
      "[{\"_id\": 1, \"y\": \"a\"}, {\"_id\": 2, \"y\": \"b\"}, {\"_id\": 3, \"y\": \"c\"}]";

  @ParameterizedTest
  @CsvFileSource(resources = "pipelines.csv", delimiter = '|', quoteCharacter = '~')
  void aPipelineMakesOfDocumentsWhatTheManualSays(
      String documents, String pipeline, String expected) {
    assertThat(run(documents, pipeline)).isEqualTo(list(expected));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "pipeline-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatIsNoPipelineIsRefusedWithMongoDbsNumber(String pipeline, int code) {
    assertThatThrownBy(() -> run("[]", pipeline))
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.code().number()).isEqualTo(code));
  }

  @Test
  void aMergeChangesWhatIsThereWithTheNewDocumentAtHand() {
    MemoryCollections collections =
        new MemoryCollections()
            .with("db", "c", list("[{\"_id\": 1, \"n\": 5}, {\"_id\": 2, \"n\": 7}]"))
            .with("db", "totals", list("[{\"_id\": 1, \"n\": 10}]"));
    run(
        collections,
        "[{\"$merge\": {\"into\": \"totals\", \"let\": {\"twice\": {\"$add\": [\"$n\", \"$n\"]}},"
            + " \"whenMatched\": [{\"$set\": {\"n\": {\"$add\":"
            + " [\"$n\", \"$$new.n\", \"$$twice\"]}}}]}}]");
    assertThat(collections.documents("db", "totals"))
        .isEqualTo(list("[{\"_id\": 1, \"n\": 25}, {\"_id\": 2, \"n\": 7}]"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[{\"$sample\": {\"size\": 1}}]",
        "[{\"$set\": {\"_id\": {\"$rand\": {}}}}]",
        "[{\"$match\": {\"$expr\": {\"$lt\": [{\"$rand\": {}}, 0.5]}}}]",
        "[{\"$match\": {\"$sampleRate\": 0.5}}]",
        "[{\"$unionWith\": {\"coll\": \"other\", \"pipeline\": [{\"$sample\": {\"size\": 1}}]}}]"
      })
  void aLookupThatDrawsAtRandomDrawsForEachDocument(String inner) {
    String documents =
        IntStream.range(0, 64).mapToObj(i -> "{\"i\": " + i + "}").collect(joining(",", "[", "]"));
    List<Document> found =
        run(
            documents,
            "[{\"$lookup\": {\"from\": \"other\", \"pipeline\": " + inner + ", \"as\": \"o\"}}]");
    assertThat(found.stream().map(document -> document.field("o")).distinct())
        .hasSizeGreaterThan(1);
  }

  @Test
  void anUpdateMayGiveStepsThatChangeOneDocument() {
    Variables variables = Variables.none(0);
    Document document = ExtendedJson.parse("{\"_id\": 1, \"a\": 2, \"b\": 3}", Limits.MONGO);
    for (Stage.Step step :
        PipelineParser.steps(
            list("[{\"$set\": {\"c\": \"$a\"}}, {\"$unset\": \"a\"}]"),
            variables,
            Collation.SIMPLE)) {
      document = step.apply(document, variables.scope().root(document));
    }
    assertThat(document)
        .isEqualTo(ExtendedJson.parse("{\"_id\": 1, \"b\": 3, \"c\": 2}", Limits.MONGO));
  }

  @Test
  void failuresOfARunKeepTheirNumbersAndNames() {
    QueryException full =
        new QueryException(QueryException.Reason.LIMIT_EXCEEDED, 292, "does not fit");
    assertThat(QueryErrors.translate(full).code()).isEqualTo(ErrorCode.EXCEEDED_MEMORY_LIMIT);
    QueryException odd = new QueryException(QueryException.Reason.BAD_VALUE, 40066, "no branch");
    assertThat(QueryErrors.translate(odd).code()).isEqualTo(ErrorCode.location(40066));
  }

  @Test
  void anOutMayGoToAnotherDatabase() {
    MemoryCollections collections = new MemoryCollections().with("db", "c", list("[{\"_id\": 1}]"));
    run(collections, "[{\"$out\": {\"db\": \"far\", \"coll\": \"x\"}}]");
    assertThat(collections.documents("far", "x")).isEqualTo(list("[{\"_id\": 1}]"));
  }

  @Test
  void countingDocumentsReadsNone() {
    MemoryCollections collections =
        new MemoryCollections().with("db", "c", list("[{\"a\": 1}, {\"a\": 2}]"));
    run(collections, "[{\"$match\": {}}, {\"$group\": {\"_id\": 1, \"n\": {\"$sum\": 1}}}]");
    assertThat(collections.queries()).isEmpty();
    assertThat(collections.counted()).isOne();
  }

  @Test
  void aValueInNoBucketIsAnErrorWithoutADefault() {
    assertThatThrownBy(
            () ->
                run(
                    "[{\"a\": 9}]",
                    "[{\"$bucket\": {\"groupBy\": \"$a\", \"boundaries\": [0, 5]}}]"))
        .isInstanceOfSatisfying(QueryException.class, e -> assertThat(e.number()).isEqualTo(40066));
  }

  private static List<Document> run(String documents, String pipeline) {
    return run(
        new MemoryCollections().with("db", "c", list(documents)).with("db", "other", list(OTHERS)),
        pipeline);
  }

  private static List<Document> run(MemoryCollections collections, String syntax) {
    Variables variables =
        Variables.none(1_000_000).with(ExtendedJson.parse("{\"who\": \"me\"}", Limits.MONGO));
    List<Value> stages = elements(syntax);
    Pipeline pipeline =
        PipelineParser.parse(
            stages.stream().map(Value::asDocument).toList(), variables, Collation.SIMPLE);
    Environment environment =
        new Environment(
            collections,
            ResolvedNames.NO_VIEWS,
            variables.scope(),
            Workspace.memory(1 << 20),
            Collation.SIMPLE,
            new Random(0));
    List<Document> results = new ArrayList<>();
    try (Rows rows = new Execution("db", environment).run(new Target("db", "c"), pipeline)) {
      while (rows.next()) {
        results.add(rows.current());
      }
    }
    return results;
  }

  private static List<Document> list(String json) {
    return elements(json).stream().map(Value::asDocument).toList();
  }

  private static List<Value> elements(String json) {
    List<Value> values = new ArrayList<>();
    Fields elements = ExtendedJson.parseValue(json, Limits.MONGO).asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }

  @Test
  void aSlopeOverDatesIsExactToTheLastDigits() {
    assertThat(
            run(
                """
                [{"t": {"$date": "2020-05-18T14:10:30Z"}, "m": 1295.1},
                 {"t": {"$date": "2020-05-18T14:11:00Z"}, "m": 1295.63}]
                """,
                """
                [{"$setWindowFields": {"sortBy": {"t": 1}, "output": {
                   "d": {"$derivative": {"input": "$m", "unit": "hour"},
                         "window": {"documents": [-1, 0]}},
                   "i": {"$integral": {"input": "$m", "unit": "hour"},
                         "window": {"documents": ["unbounded", "current"]}}}}},
                 {"$project": {"d": 1, "i": 1}}, {"$skip": 1}]
                """))
        .isEqualTo(list("[{\"d\": 63.60000000002401, \"i\": 10.794708333333333}]"));
  }

  @Test
  void aSlopeNeedsAUnitForDatesAndNoneForNumbers() {
    assertThatThrownBy(() -> slope("$derivative", "{\"$date\": 0}", "{\"input\": 1}"))
        .hasMessage("$derivative where the sortBy is a Date requires an 'unit'");
    assertThatThrownBy(() -> slope("$derivative", "1", "{\"input\": 1, \"unit\": \"hour\"}"))
        .hasMessageStartingWith("$derivative with 'unit' expects the sortBy field to be a Date");
    assertThatThrownBy(() -> slope("$integral", "{\"$date\": 0}", "{\"input\": 1}"))
        .hasMessage("$integral (with no 'unit') expects the sortBy field to be numeric");
  }

  private static void slope(String function, String place, String argument) {
    run(
        "[{\"t\": " + place + "}]",
        "[{\"$setWindowFields\": {\"sortBy\": {\"t\": 1}, \"output\": {\"d\": {\""
            + function
            + "\": "
            + argument
            + ", \"window\": {\"documents\": [-1, 0]}}}}}]");
  }

  @Test
  void whatIsNoDocumentCannotTakeItsPlace() {
    assertThatThrownBy(() -> run("[{\"a\": 5}]", "[{\"$replaceRoot\": {\"newRoot\": \"$a\"}}]"))
        .hasMessage(
            "'newRoot' expression  must evaluate to an object, but resulting value was: 5."
                + " Type of resulting value: 'int'. Input document: { a: 5 }");
    assertThatThrownBy(() -> run("[{\"a\": 5}]", "[{\"$replaceWith\": \"$b\"}]"))
        .hasMessageStartingWith(
            "'replacement document'  must evaluate to an object, but resulting value was: MISSING."
                + " Type of resulting value: 'missing'.");
  }
}
