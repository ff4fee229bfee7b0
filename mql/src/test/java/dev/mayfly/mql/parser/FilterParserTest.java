package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class FilterParserTest {
  @ParameterizedTest
  @CsvFileSource(resources = "filters.csv", delimiter = '|', quoteCharacter = '~')
  void aQueryDocumentMeansWhatTheManualSays(String query, String document, boolean matches) {
    Filter filter = parse(query);
    assertThat(filter.matcher(Mode.MATCH).matches(json(document)))
        .as("%s", filter)
        .isEqualTo(matches);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "filter-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatMeansNothingIsRefusedInMongoDbsWords(String query, int code, String message) {
    assertThatThrownBy(() -> parse(query))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.message()).isEqualTo(message);
              assertThat(e.code().number()).isEqualTo(code);
            });
  }

  @Test
  void theCommonFiltersAreAsPlainAsTheyCanBe() {
    assertThat(parse("{\"_id\":5}")).isEqualTo(Filter.equal(FieldPath.of("_id"), Value.of(5)));
    assertThat(parse("{\"a\":1,\"b\":{\"$eq\":2}}"))
        .isEqualTo(
            new Filter.And(
                List.of(
                    Filter.equal(FieldPath.of("a"), Value.of(1)),
                    Filter.equal(FieldPath.of("b"), Value.of(2)))));
    assertThat(parse("{}")).isEqualTo(Filter.all());
  }

  @Test
  void aCollationReachesTheTextsOfEveryComparison() {
    Collation caseless = CollationParser.parse(json("{\"locale\":\"en\",\"strength\":2}"));
    for (String query :
        List.of(
            "{\"a\":\"X\"}",
            "{\"a\":{\"$in\":[\"X\"]}}",
            "{\"a\":{\"$gte\":\"X\",\"$lte\":\"X\"}}",
            "{\"a\":{\"$all\":[\"X\"]}}",
            "{\"$or\":[{\"a\":\"X\"},{\"b\":1}]}",
            "{\"a\":{\"$not\":{\"$ne\":\"X\"}}}")) {
      Filter filter = FilterParser.parse(json(query), FilterParserTest::noExpression, caseless);
      assertThat(filter.matcher(Mode.MATCH).matches(json("{\"a\":\"x\"}"))).as(query).isTrue();
      assertThat(parse(query).matcher(Mode.MATCH).matches(json("{\"a\":\"x\"}")))
          .as(query)
          .isFalse();
    }
  }

  @Test
  void anExpressionIsAskedAboutTheWholeDocumentWithTheVariablesOfTheCommand() {
    Variables variables = Variables.none(0).with(json("{\"n\":3}"));
    Filter filter =
        FilterParser.parse(
            json(
                "{\"$expr\":{\"$gt\":[{\"$size\":{\"$filter\":{\"input\":\"$a\",\"cond\":"
                    + "{\"$gt\":[\"$$this\",\"$$n\"]}}}},1]}}"),
            variables,
            Collation.SIMPLE);
    var matcher = filter.matcher(Mode.MATCH);
    assertThat(matcher.matches(json("{\"a\":[1,4,5]}"))).isTrue();
    assertThat(matcher.matches(json("{\"a\":[1,4]}"))).isFalse();
  }

  @Test
  void theSampledShareIsAboutAsAskedFor() {
    var matcher = parse("{\"$sampleRate\":0.5}").matcher(Mode.MATCH);
    int passed = 0;
    for (int i = 0; i < 10_000; i++) {
      passed += matcher.matches(Document.EMPTY) ? 1 : 0;
    }
    assertThat(passed).isBetween(4_000, 6_000);
  }

  private static Filter parse(String query) {
    return FilterParser.parse(json(query), FilterParserTest::noExpression, Collation.SIMPLE);
  }

  private static DocumentPredicate noExpression(Value syntax) {
    throw new AssertionError("no expression expected: " + syntax);
  }

  private static Document json(String text) {
    return ExtendedJson.parse(text, Limits.MONGO);
  }
}
