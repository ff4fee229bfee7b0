package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FieldPathTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "7, 7",
    "10, 10",
    "2147483647, 2147483647",
    "2147483648, -1",
    "99999999999, -1",
    "01, -1",
    "00, -1",
    "-1, -1",
    "+1, -1",
    "1a, -1",
    "'', -1",
    "\u0661, -1",
  })
  void onlyPlainNumbersArePlaces(String step, int index) {
    assertThat(FieldPath.of(List.of(step)).index(0)).isEqualTo(index);
  }

  @ParameterizedTest
  @CsvSource({"a, 1", "a.b, 2", "a..b, 3", ".a, 2", "a., 2", "'', 1"})
  void everyDotDivides(String dotted, int length) {
    FieldPath path = FieldPath.of(dotted);
    assertThat(path.length()).isEqualTo(length);
    assertThat(path).hasToString(dotted);
  }

  @Test
  void stepsGivenAsAListMayHoldDots() {
    FieldPath path = FieldPath.of(List.of("a.b", "\u00e9"));
    assertThat(path.length()).isEqualTo(2);
    assertThat(path.step(0)).isEqualTo("a.b");
    assertThat(path.stepUtf8(1)).isEqualTo("\u00e9".getBytes(StandardCharsets.UTF_8));
    assertThat(path).isNotEqualTo(FieldPath.of("a.b.\u00e9"));
  }

  @ParameterizedTest
  @CsvSource({
    "a.b, a, true",
    "a.b, a.b, true",
    "a.b, a.b.c, false",
    "a.b, b, false",
    "ab, a, false"
  })
  void aPathStartsWithWholeSteps(String path, String prefix, boolean expected) {
    assertThat(FieldPath.of(path).startsWith(FieldPath.of(prefix))).isEqualTo(expected);
  }

  @Test
  void aChildIsOneStepFurther() {
    FieldPath child = FieldPath.of("a").child("b");
    assertThat(child).isEqualTo(FieldPath.of("a.b")).hasSameHashCodeAs(FieldPath.of("a.b"));
  }
}
