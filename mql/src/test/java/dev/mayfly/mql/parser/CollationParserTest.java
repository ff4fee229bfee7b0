package dev.mayfly.mql.parser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.mql.CommandException;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

final class CollationParserTest {
  @Test
  void everySettingIsTakenAndShownAgain() {
    String all =
        "{\"locale\":\"fr\",\"caseLevel\":true,\"caseFirst\":\"upper\",\"strength\":4,"
            + "\"numericOrdering\":true,\"alternate\":\"shifted\",\"maxVariable\":\"space\","
            + "\"normalization\":true,\"backwards\":true}";
    Document shown = CollationParser.parse(json(all)).toDocument();
    Fields fields = json(all).fields();
    while (fields.next()) {
      assertThat(shown.field(fields.name())).as(fields.name()).isEqualTo(fields.value());
    }
  }

  @Test
  void whatIsLeftOutIsAsUsual() {
    Document shown = CollationParser.parse(json("{\"locale\":\"en\"}")).toDocument();
    assertThat(shown.field("strength")).isEqualTo(Value.of(3));
    assertThat(shown.field("caseFirst")).isEqualTo(Value.of("off"));
    assertThat(shown.field("alternate")).isEqualTo(Value.of("non-ignorable"));
  }

  @Test
  void theSimpleOneComparesBytes() {
    assertThat(CollationParser.parse(json("{\"locale\":\"simple\"}"))).isSameAs(Collation.SIMPLE);
    assertThat(CollationParser.parse(Document.EMPTY)).isSameAs(Collation.SIMPLE);
  }

  @ParameterizedTest
  @CsvFileSource(resources = "collation-errors.csv", delimiter = '|', quoteCharacter = '~')
  void whatIsNoCollationIsRefused(String collation, int code, String message) {
    assertThatThrownBy(() -> CollationParser.parse(json(collation)))
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
