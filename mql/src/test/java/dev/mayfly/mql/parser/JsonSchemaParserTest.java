package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class JsonSchemaParserTest {
  @ParameterizedTest
  @CsvFileSource(resources = "schemas.csv", delimiter = '|', quoteCharacter = '~')
  void aSchemaAllowsWhatTheManualSays(String schema, String document, boolean conforms) {
    assertThat(JsonSchemaParser.parse(json(schema)).conforms(Value.of(json(document))))
        .isEqualTo(conforms);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "schema-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatIsNoSchemaIsRefused(String schema, int code, String message) {
    assertThatThrownBy(() -> JsonSchemaParser.parse(json(schema)))
        .isInstanceOfSatisfying(
            CommandException.class,
            e -> {
              assertThat(e.message()).isEqualTo(message);
              assertThat(e.code().number()).isEqualTo(code);
            });
  }

  private static Document json(String text) {
    return ExtendedJson.parse(text, Limits.MONGO);
  }
}
