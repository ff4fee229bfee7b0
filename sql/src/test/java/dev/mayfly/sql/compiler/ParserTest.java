package dev.mayfly.sql.compiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.value.testing.SeedExtension;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The parser reads what it should, and refuses the rest without harm. */
@ExtendWith(SeedExtension.class)
final class ParserTest {
  private static final String[] WORDS = {
    "SELECT",
    "VALUE",
    "*",
    "FROM",
    "c",
    "WHERE",
    "JOIN",
    "IN",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ".",
    ",",
    ":",
    "'a'",
    "1",
    "1.5",
    "AND",
    "OR",
    "NOT",
    "GROUP",
    "BY",
    "ORDER",
    "ASC",
    "OFFSET",
    "LIMIT",
    "TOP",
    "DISTINCT",
    "@p",
    "LIKE",
    "BETWEEN",
    "EXISTS",
    "ARRAY",
    "COUNT",
    "=",
    "<",
    "||",
    "??",
    "?",
    "-",
    "+",
    "udf",
    "AS",
    "ESCAPE",
    "true",
    "undefined",
    "\"x\"",
    "x"
  };

  @Test
  void randomTextIsParsedOrRejected(Random random) {
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder();
      for (int length = random.nextInt(40); length > 0; length--) {
        text.append(
            (char) (random.nextInt(10) == 0 ? random.nextInt(0x10000) : 32 + random.nextInt(95)));
      }
      attempt(text.toString());
    }
  }

  @Test
  void randomTokensAreParsedOrRejected(Random random) {
    for (int i = 0; i < 50_000; i++) {
      StringBuilder text = new StringBuilder("SELECT ");
      for (int length = random.nextInt(25); length > 0; length--) {
        text.append(WORDS[random.nextInt(WORDS.length)]).append(random.nextInt(8) == 0 ? "" : " ");
      }
      attempt(text.toString());
    }
  }

  @Test
  void mutatedQueriesAreParsedOrRejected(Random random) {
    RandomSql queries = new RandomSql(random);
    for (int i = 0; i < 5_000; i++) {
      StringBuilder text = new StringBuilder(Printer.print(queries.query()));
      for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
        int at = random.nextInt(text.length());
        switch (random.nextInt(3)) {
          case 0 -> text.deleteCharAt(at);
          case 1 -> text.insert(at, (char) (32 + random.nextInt(95)));
          default -> text.setCharAt(at, (char) (32 + random.nextInt(95)));
        }
      }
      attempt(text.toString());
    }
  }

  private static void attempt(String text) {
    try {
      Select query = Parser.parse(text);
      Compiler.compile(query, Map.of(), Map.of());
    } catch (SqlException refused) {
      assertThat(refused.span().start()).isBetween(0, text.length());
      assertThat(refused.span().end()).isBetween(refused.span().start(), text.length());
      assertThat(refused.json()).startsWith("{\"errors\":");
    }
  }

  @Test
  void printedQueriesParseToTheSameTree(Random random) {
    RandomSql queries = new RandomSql(random);
    for (int i = 0; i < 5_000; i++) {
      String text = Printer.print(queries.query());
      assertThat(Printer.print(Parser.parse(text))).isEqualTo(text);
    }
  }

  @Test
  void nestingHasALimitAndNoStackOverflows() {
    for (String open :
        new String[] {
          "(", "[", "NOT ", "-(", "~", "ABS(", "{\"a\":", "(SELECT VALUE ", "1 ? 1 : "
        }) {
      assertThatThrownBy(() -> Parser.parse("SELECT VALUE " + open.repeat(20_000)))
          .isInstanceOfSatisfying(
              SqlException.class, refused -> assertThat(refused.code()).isEqualTo("SC3001"));
    }
    for (String chain : new String[] {" + 1", " || 'a'", ".a", "[0]", " ?? 1", " = 1"}) {
      assertThatThrownBy(() -> Parser.parse("SELECT VALUE (1)" + chain.repeat(20_000)))
          .isInstanceOfSatisfying(
              SqlException.class, refused -> assertThat(refused.code()).isEqualTo("SC3001"));
    }
  }

  @Test
  void longChainsWithinTheLimitAreEvaluated() {
    assertThat(InMemory.run("SELECT VALUE 1" + " + 1".repeat(900))).containsExactly("901");
    assertThat(InMemory.run("SELECT VALUE false" + " OR false".repeat(20_000) + " OR true"))
        .containsExactly("true");
    assertThat(InMemory.run("SELECT VALUE " + "(".repeat(100) + "1" + ")".repeat(100)))
        .containsExactly("1");
  }

  @Test
  void aTooLongQueryIsRejected() {
    assertThatThrownBy(() -> Parser.parse("SELECT 1 " + " ".repeat(Parser.MAX_LENGTH)))
        .isInstanceOf(SqlException.class);
  }
}
