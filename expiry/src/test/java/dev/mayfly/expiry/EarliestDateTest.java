package dev.mayfly.expiry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class EarliestDateTest {
  private static final Value EARLY = Value.date(-5);
  private static final Value LATE = Value.date(7_000);

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void earliestDateOnThePathCounts(String what, String path, Document document, long expected) {
    assertThat(EarliestDate.of(FieldPath.of(path), document)).as(what).isEqualTo(expected);
  }

  static Stream<Arguments> cases() {
    Value mixed = array(Value.of(1), LATE, Value.of("x"), EARLY, Value.NULL);
    Document objects = field("a", array(object("b", LATE), object("b", EARLY), Value.of(3)));
    return Stream.of(
        of("a date", "a", field("a", LATE), 7_000),
        of("a date before 1970", "a", field("a", EARLY), -5),
        of("nothing", "a", Document.EMPTY, EarliestDate.NONE),
        of("a date under another name", "a", field("b", LATE), EarliestDate.NONE),
        of("null", "a", field("a", Value.NULL), EarliestDate.NONE),
        of("a number", "a", field("a", Value.of(5L)), EarliestDate.NONE),
        of("a text", "a", field("a", Value.of("2020-01-01")), EarliestDate.NONE),
        of("a timestamp", "a", field("a", Value.timestamp(5)), EarliestDate.NONE),
        of("an object", "a", field("a", object("b", LATE)), EarliestDate.NONE),
        of("dates among others", "a", field("a", mixed), -5),
        of("an empty array", "a", field("a", array()), EarliestDate.NONE),
        of("dates in an array in an array", "a", field("a", array(array(LATE))), EarliestDate.NONE),
        of("a date in an object", "a.b", field("a", object("b", LATE)), 7_000),
        of("a date beside the path", "a.b", field("a", LATE), EarliestDate.NONE),
        of("a text with an object's bytes", "a.b", field("a", lookalike()), EarliestDate.NONE),
        of("dates in objects of an array", "a.b", objects, -5),
        of("dates in arrays in objects", "a.b", field("a", array(object("b", mixed))), -5),
        of("objects in an array in an array", "a.b", nested(), EarliestDate.NONE),
        of("a place", "a.1", field("a", array(EARLY, LATE)), 7_000),
        of("a place, not a name", "a.0", field("a", array(LATE, object("0", EARLY))), 7_000),
        of("a place beyond the end", "a.2", field("a", array(EARLY, LATE)), EarliestDate.NONE),
        of("an array at a place", "a.0", field("a", array(array(LATE))), EarliestDate.NONE),
        of("an object at a place", "a.0.b", field("a", array(object("b", LATE))), 7_000));
  }

  private static Arguments of(String what, String path, Document document, long expected) {
    return Arguments.of(what, path, document, expected);
  }

  /** A text that read as an object would have a date in its field b. */
  private static Value lookalike() {
    return Value.of("\tb\0" + "\0".repeat(Long.BYTES));
  }

  private static Document nested() {
    return field("a", array(array(object("b", LATE))));
  }

  private static Document field(String name, Value value) {
    return Document.writer().put(name, value).build();
  }

  private static Value object(String name, Value value) {
    return Value.of(field(name, value));
  }

  private static Value array(Value... elements) {
    return Value.array(List.of(elements));
  }
}
