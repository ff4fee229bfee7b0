package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class ProjectionParserTest {
  private static final Variables VARIABLES = Variables.none(0);

  @ParameterizedTest
  @CsvFileSource(resources = "projections.csv", delimiter = '|', quoteCharacter = '~')
  void aProjectionGivesWhatTheManualSays(
      String query, String projection, String document, String given) {
    assertThat(parse(query, projection).apply(json(document), VARIABLES.scope()))
        .isEqualTo(json(given));
  }

  @ParameterizedTest
  @CsvFileSource(resources = "projection-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatDescribesNoShapeIsRefused(String query, String projection, int code, String message) {
    assertThatThrownBy(() -> parse(query, projection))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.message()).isEqualTo(message);
              assertThat(e.code().number()).isEqualTo(code);
            });
  }

  @Test
  void anEmptyProjectionCopiesNothing() {
    Document document = json("{\"a\":1}");
    assertThat(parse("{}", "{}").apply(document, VARIABLES.scope())).isSameAs(document);
  }

  private static Projection parse(String query, String projection) {
    return ProjectionParser.parse(
        json(projection), FilterParser.parse(json(query), VARIABLES, Collation.SIMPLE), VARIABLES);
  }

  private static Document json(String text) {
    return ExtendedJson.parse(text, Limits.MONGO);
  }
}
