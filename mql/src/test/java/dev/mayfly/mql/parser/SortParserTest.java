package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class SortParserTest {
  @Test
  void theKeysComeInTheOrderOfThePattern() {
    assertThat(SortParser.parse(json("{\"b\":-1,\"a.c\":1.5}")))
        .containsExactly(Sort.descending(FieldPath.of("b")), Sort.ascending(FieldPath.of("a.c")));
  }

  @Test
  void theNaturalOrderIsNone() {
    assertThat(SortParser.parse(json("{\"$natural\":-1}"))).isEmpty();
    assertThat(SortParser.parse(Document.EMPTY)).isEmpty();
  }

  @ParameterizedTest
  @CsvFileSource(resources = "sort-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatIsNoOrderIsRefused(String pattern, int code, String message) {
    assertThatThrownBy(() -> SortParser.parse(json(pattern)))
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
