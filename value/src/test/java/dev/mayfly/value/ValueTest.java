package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.value.ValueException.Reason;
import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(SeedExtension.class)
final class ValueTest {
  @Test
  void valuesGiveBackWhatTheyWereMadeOf() {
    assertThat(Value.of(-1).asInt()).isEqualTo(-1);
    assertThat(Value.of(1L << 40).asLong()).isEqualTo(1L << 40);
    assertThat(Value.of(0.1).asDouble()).isEqualTo(0.1);
    assertThat(Value.of(true).asBoolean()).isTrue();
    assertThat(Value.of("\u00e9\0\ud83d\ude00").asString()).isEqualTo("\u00e9\0\ud83d\ude00");
    assertThat(Value.date(-5).asDate()).isEqualTo(-5);
    assertThat(Value.timestamp(-5).asTimestamp()).isEqualTo(-5);
    assertThat(Value.objectId(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}).asObjectId())
        .containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
    assertThat(Value.binary((byte) -128, new byte[] {7}).asBinary()).containsExactly(7);
    assertThat(Value.binary((byte) -128, new byte[] {7}).binarySubtype()).isEqualTo((byte) -128);
    assertThat(Value.binary((byte) 2, new byte[] {7}).asBinary()).containsExactly(7);
    assertThat(Value.regex("a.b", "im").regexPattern()).isEqualTo("a.b");
    assertThat(Value.regex("a.b", "im").regexOptions()).isEqualTo("im");
    assertThat(Value.of(Document.EMPTY).asDocument()).isEqualTo(Document.EMPTY);
  }

  @ParameterizedTest
  @CsvSource({
    "1.9, 1, 1",
    "-1.9, -1, -1",
    "1e10, 2147483647, 10000000000",
    "-1e300, -2147483648, -9223372036854775808",
    "NaN, 0, 0",
  })
  void numbersConvertByCuttingOffAndSaturating(double number, int asInt, long asLong) {
    assertThat(Value.of(number).asInt()).isEqualTo(asInt);
    assertThat(Value.of(number).asLong()).isEqualTo(asLong);
  }

  static Stream<Arguments> readers() {
    return Stream.of(
        reader("asInt", Value::asInt, Type::number),
        reader("asLong", Value::asLong, Type::number),
        reader("asDouble", Value::asDouble, Type::number),
        reader("asDecimal", Value::asDecimal, Type::number),
        reader("asBoolean", Value::asBoolean, type -> type == Type.BOOLEAN),
        reader("asDate", Value::asDate, type -> type == Type.DATE),
        reader("asTimestamp", Value::asTimestamp, type -> type == Type.TIMESTAMP),
        reader("asObjectId", Value::asObjectId, type -> type == Type.OBJECT_ID),
        reader("asBinary", Value::asBinary, type -> type == Type.BINARY),
        reader("regexPattern", Value::regexPattern, type -> type == Type.REGEX),
        reader("regexOptions", Value::regexOptions, type -> type == Type.REGEX),
        reader("asString", Value::asString, List.of(Type.STRING, Type.SYMBOL, Type.CODE)::contains),
        reader("asDocument", Value::asDocument, List.of(Type.OBJECT, Type.ARRAY)::contains));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("readers")
  void askingForAnotherTypeIsRefused(
      String what, Function<Value, Object> reader, Function<Type, Boolean> accepts) {
    for (Type type : Type.values()) {
      Value value =
          Value.view(type, new byte[] {5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
      if (accepts.apply(type)) {
        assertThat(reader.apply(value)).isNotNull();
      } else {
        ValueException e = catchThrowableOfType(ValueException.class, () -> reader.apply(value));
        assertThat(e.reason()).isEqualTo(Reason.WRONG_TYPE);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"NaN", "Infinity", "-Infinity"})
  void whatIsNotFiniteHasNoExactDecimal(double number) {
    ValueException e =
        catchThrowableOfType(ValueException.class, () -> Value.of(number).asDecimal());
    assertThat(e.reason()).isEqualTo(Reason.WRONG_TYPE);
  }

  @Test
  void equalityIsOfTypeAndBytesNotOfMeaning() {
    assertThat(Value.of(1)).isEqualTo(Value.of(1)).hasSameHashCodeAs(Value.of(1));
    assertThat(Value.of(1)).isNotEqualTo(Value.of(1L));
    assertThat(Value.of(1)).isNotEqualTo(Value.of(2));
    assertThat(Value.of("a")).isNotEqualTo(Value.symbol("a"));
    assertThat(Value.NULL).isNotEqualTo(Value.MISSING);
  }

  @Test
  void aViewEqualsTheValueItShows(Random random) {
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < 5_000; i++) {
      Value value = values.value(2);
      Value view = Document.writer().put("x", 1).put("a", value).put("y", 2).build().field("a");
      assertThat(view).isEqualTo(value).hasSameHashCodeAs(value);
      assertThat(view.length()).isEqualTo(value.length());
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyTypeIsFoundByItsCode(Type type) {
    if (type == Type.MISSING) {
      ValueException e = catchThrowableOfType(ValueException.class, () -> Type.of(type.code()));
      assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
    } else {
      assertThat(Type.of(type.code())).isEqualTo(type);
    }
  }

  @Test
  void badPartsAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Value.objectId(new byte[11]));
    assertThatIllegalArgumentException().isThrownBy(() -> Value.dbPointer("a", new byte[13]));
    ValueException e = catchThrowableOfType(ValueException.class, () -> Value.regex("a\0b", ""));
    assertThat(e.reason()).isEqualTo(Reason.MALFORMED);
  }

  @Test
  void textShowsRelaxedExtendedJson() {
    assertThat(Value.of("a")).hasToString("\"a\"");
    assertThat(Value.date(0)).hasToString("{\"$date\":\"1970-01-01T00:00:00Z\"}");
    assertThat(Value.MISSING).hasToString("missing");
  }

  private static Arguments reader(
      String what, Function<Value, Object> reader, Function<Type, Boolean> accepts) {
    return Arguments.of(what, reader, accepts);
  }
}
