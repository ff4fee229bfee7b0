package dev.mayfly.mql.parser.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.QueryErrors;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.update.Update;
import dev.mayfly.mql.update.UpdateContext;
import dev.mayfly.mql.update.UpsertDocument;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.MatchOrder;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class UpdateParserTest {
  private static final long NOW = 5_000;
  private static final long TIMESTAMP = 5L << 32 | 1;
  private static final Scope SCOPE = Scope.of(0);

  @ParameterizedTest
  @CsvFileSource(resources = "updates.csv", delimiter = '|', quoteCharacter = '~')
  void anUpdateDoesWhatTheManualSays(String before, String update, String after) {
    Document found = json(before);
    Document result = parse(update).apply(found, SCOPE, found(UpdateContext.NO_PLACE));
    assertThat(ExtendedJson.canonical(result)).isEqualTo(ExtendedJson.canonical(json(after)));
    if (result.equals(found)) {
      assertThat(result).isSameAs(found);
    }
  }

  @ParameterizedTest
  @CsvFileSource(resources = "update-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatCannotBeDoneIsRefusedInMongoDbsWords(
      String before, String update, int code, String message) {
    assertThatThrownBy(
            () -> parse(update).apply(json(before), SCOPE, found(UpdateContext.NO_PLACE)))
        .isInstanceOfSatisfying(
            RuntimeException.class,
            e -> {
              CommandException reported =
                  e instanceof QueryException failure
                      ? QueryErrors.translate(failure)
                      : (CommandException) e;
              assertThat(reported.message()).isEqualTo(message);
              assertThat(reported.code().number()).isEqualTo(code);
            });
  }

  @ParameterizedTest
  @CsvFileSource(resources = "positional-updates.csv", delimiter = '|', quoteCharacter = '~')
  void thePositionalOperatorMeansTheElementThatTheQueryFound(
      String query, String before, String update, String after) {
    Matcher matcher = MatchOrder.sorted(filter(query)).matcher(Mode.MATCH);
    Document document = json(before);
    assertThat(matcher.matches(document)).isTrue();
    Update parsed = parse(update);
    assertThat(parsed.needsPlace()).isTrue();
    assertThat(parsed.apply(document, SCOPE, found(matcher.place()))).isEqualTo(json(after));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "array-filters.csv", delimiter = '|', quoteCharacter = '~')
  void anArrayFilterMeansTheElementsThatPassIt(
      String filters, String before, String update, String after) {
    Update parsed = UpdateParser.document(json(update), filters(filters), Collation.SIMPLE);
    assertThat(parsed.apply(json(before), SCOPE, found(UpdateContext.NO_PLACE)))
        .isEqualTo(json(after));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "array-filter-errors.csv", delimiter = '|', quoteCharacter = '~')
  void aBadArrayFilterIsRefused(String filters, int code, String message) {
    assertThatThrownBy(
            () ->
                UpdateParser.document(
                    json("{\"$set\":{\"a\":1}}"), filters(filters), Collation.SIMPLE))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.message()).isEqualTo(message);
              assertThat(e.code().number()).isEqualTo(code);
            });
  }

  @ParameterizedTest
  @CsvFileSource(resources = "upserts.csv", delimiter = '|', quoteCharacter = '~')
  void anUpsertStartsFromTheEqualitiesOfTheQuery(String query, String update, String after) {
    UpdateContext inserting = UpdateContext.inserting(NOW, TIMESTAMP);
    assertThat(UpsertDocument.of(filter(query), parse(update), SCOPE, inserting))
        .isEqualTo(json(after));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "upsert-errors.csv", delimiter = '|', quoteCharacter = '~')
  void anUpsertCannotChooseBetweenTwoValues(String query, String message) {
    UpdateContext inserting = UpdateContext.inserting(NOW, TIMESTAMP);
    assertThatThrownBy(
            () -> UpsertDocument.of(filter(query), parse("{\"$set\":{}}"), SCOPE, inserting))
        .hasMessage(message);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "pipeline-updates.csv", delimiter = '|', quoteCharacter = '~')
  void aPipelineComputesTheDocumentStepByStep(String before, String stages, String after) {
    Variables variables = Variables.none(NOW);
    Update update =
        UpdateParser.parse(
            json("{\"u\":" + stages + "}").field("u"), List.of(), variables, Collation.SIMPLE);
    Document found = json(before);
    assertThat(update.apply(found, variables.scope(), found(UpdateContext.NO_PLACE)))
        .isEqualTo(json(after));
  }

  @Test
  void aPipelineCannotChangeTheId() {
    Variables variables = Variables.none(NOW);
    Update update =
        UpdateParser.parse(
            json("{\"u\":[{\"$set\":{\"_id\":2}}]}").field("u"),
            List.of(),
            variables,
            Collation.SIMPLE);
    assertThatThrownBy(() -> update.apply(json("{\"_id\":1}"), variables.scope(), found(-1)))
        .hasMessageContaining("_id: 2");
  }

  @Test
  void aCollationDecidesWhatIsEqualInArrays() {
    Collation caseless = CollationParser.parse(json("{\"locale\":\"en\",\"strength\":2}"));
    for (String update :
        List.of(
            "{\"$pull\":{\"a\":\"X\"}}",
            "{\"$pullAll\":{\"a\":[\"X\"]}}",
            "{\"$pull\":{\"a\":{\"$in\":[\"X\"]}}}")) {
      Update parsed = UpdateParser.document(json(update), List.of(), caseless);
      assertThat(parsed.apply(json("{\"a\":[\"x\",\"y\"]}"), SCOPE, found(-1)))
          .as(update)
          .isEqualTo(json("{\"a\":[\"y\"]}"));
    }
  }

  private static UpdateContext found(int place) {
    return UpdateContext.found(place, NOW, TIMESTAMP, _ -> {});
  }

  private static Update parse(String update) {
    return UpdateParser.document(json(update), List.of(), Collation.SIMPLE);
  }

  private static Filter filter(String query) {
    return FilterParser.parse(json(query), UpdateParser.NO_EXPRESSION, Collation.SIMPLE);
  }

  private static List<Document> filters(String array) {
    Document wrapped = json("{\"f\":" + array + "}");
    List<Document> filters = new ArrayList<>();
    var elements = wrapped.field("f").asDocument().fields();
    while (elements.next()) {
      filters.add(elements.value().asDocument());
    }
    return filters;
  }

  private static Document json(String text) {
    return ExtendedJson.parse(text, Limits.MONGO);
  }
}
