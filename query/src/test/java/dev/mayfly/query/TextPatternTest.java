package dev.mayfly.query;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class TextPatternTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          abc             |    | xabcx    | true
          ^abc            |    | xabc     | false
          ABC             | i  | abc      | true
          ÄB              | i  | äb       | true
          a b # comment   | x  | ab       | true
          [ ]             | x  | 'a b'    | true
          [[:alpha:]]+$   |    | 12ab     | true
          [[:^digit:]]    |    | 123      | false
          [a[]            |    | [        | true
          [a&&b]          |    | &        | true
          []a]            |    | ]        | true
          [^]a]           |    | ]        | false
          a{              |    | a{       | true
          {abc}           |    | {abc}    | true
          a{2}            |    | aa       | true
          a{2}            |    | a        | false
          (?P<n>a)(?P=n)  |    | aa       | true
          \\x{41}         |    | A        | true
          \\p{Lu}         |    | A        | true
          \\Qa.b\\E       |    | a.b      | true
          \\Qa.b\\E       |    | axb      | false
          (*UTF8)é        |    | é        | true
          \\p{Latin}      |    | é        | true
          \\p{Latin}      |    | д        | false
          \\P{Latin}      |    | д        | true
          \\p{^Greek}     |    | α        | false
          [\\p{Han}x]     |    | 字       | true
          ^\\p{L&}$       |    | a        | true
          ^\\p{Xan}+$     |    | a1       | true
          a(?#note)b      |    | ab       | true
          a\\N            |    | ab       | true
          ^\\o{141}$      |    | a        | true
          ^[\\o{141}]$    |    | a        | true
          '^(?|a|b)c$'    |    | bc       | true
          (?<my_name>a)\\k{my_name} | | aa    | true
          (?'n'a)\\k'n'   |    | aa       | true
          ^(a)\\g{1}$     |    | aa       | true
          ^(a)\\g11$      |    | aa       | false
          """)
  void readsTheDialectOfPcre(String pattern, String options, String text, boolean found) {
    String flags = options == null ? "" : options;
    assertThat(TextPattern.of(pattern, flags).found(text)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a(?R)?b         | recursion
          (a)(?1)         | recursion
          (?P<n>a)(?P>n)  | recursion
          '(a)?(?(1)b|c)' | conditional
          a\\Kb           | \\K
          '(?|(a)|(b))'   | branch reset
          a(*SKIP)b       | verbs
          """)
  void whatThereIsNothingForIsRefusedByItsName(String pattern, String name) {
    assertThatThrownBy(() -> TextPattern.of(pattern, ""))
        .isInstanceOf(QueryException.class)
        .hasMessageContaining(name);
  }

  @Test
  void onlyALineFeedEndsALine() {
    assertThat(TextPattern.of("^b$", "").found("a\nb")).isFalse();
    assertThat(TextPattern.of("^b$", "m").found("a\nb\nc")).isTrue();
    assertThat(TextPattern.of("^b$", "m").found("a\rb\rc")).isFalse();
    assertThat(TextPattern.of("a.b", "").found("a\nb")).isFalse();
    assertThat(TextPattern.of("a.b", "s").found("a\nb")).isTrue();
    assertThat(TextPattern.of("b$", "").found("b\n")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "^abc, '', abc, true",
    "\\Aabc, '', abc, true",
    "^abc, m, '', false",
    "\\Aabc, m, abc, true",
    "^abc, i, '', false",
    "^abc.*, '', abc, false",
    "^abc*, '', ab, false",
    "^abc?, '', ab, false",
    "^ab{0}, '', a, false",
    "^ab+, '', ab, false",
    "^a|b, '', '', false",
    "^a\\.b, '', a.b, true",
    "^a\\d, '', a, false",
    "^(a), '', '', false",
    "abc, '', '', false",
    "^a\uD83D\uDE00?, '', a, false"
  })
  void knowsWhatEveryMatchStartsWith(String pattern, String options, String prefix, boolean whole) {
    PatternPrefix known = PatternPrefix.of(pattern, options);
    assertThat(known.whole()).isEqualTo(whole);
    // One character less than there could be is allowed, one more is not.
    assertThat(prefix).startsWith(known.text());
    assertThat(known.text().length()).isGreaterThanOrEqualTo(prefix.length() - 1);
  }

  @Test
  void givesUpOnAPatternThatExplodes() {
    TextPattern pattern = TextPattern.of("a*a*a*a*a*a*a*b", "");
    assertThatThrownBy(() -> pattern.found("a".repeat(500)))
        .isInstanceOfSatisfying(
            QueryException.class,
            e -> assertThat(e.reason()).isEqualTo(QueryException.Reason.PATTERN_TOO_COSTLY));
  }

  @Test
  void givesUpWhenTheStackIsTooSmallForTheText() {
    TextPattern pattern = TextPattern.of("^(a|b)*$", "");
    assertThatThrownBy(() -> pattern.found("ab".repeat(200_000)))
        .isInstanceOf(QueryException.class);
  }

  @Test
  void refusesWhatItCannotRead() {
    assertThatThrownBy(() -> TextPattern.of("(", "")).isInstanceOf(QueryException.class);
    assertThatThrownBy(() -> TextPattern.of("a", "g")).isInstanceOf(QueryException.class);
  }
}
