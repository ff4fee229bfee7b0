package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mayfly.value.ValueException.Reason;
import dev.mayfly.value.testing.SeedExtension;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.bson.types.Decimal128;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Decimals as 128 bits; the oracle is MongoDB's own library. */
@ExtendWith(SeedExtension.class)
final class DecimalTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "0",
        "-0",
        "0E+6111",
        "0E-6176",
        "0.00",
        "1",
        "-1.50",
        "1E+3",
        "0.000001",
        "1E-7",
        "1E-6176",
        "1E+6144",
        "9999999999999999999999999999999999",
        "9.999999999999999999999999999999999E+6144",
        "9223372036854775808",
        "18446744073709551616",
        "NaN",
        "Infinity",
        "-Infinity"
      })
  void textAndBitsAreThoseOfTheOriginal(String text) {
    Value ours = Value.decimal(text);
    Decimal128 theirs = Decimal128.parse(text);
    assertThat(ours.high()).isEqualTo(theirs.getHigh());
    assertThat(ours.low()).isEqualTo(theirs.getLow());
    assertThat(Decimal.toString(ours.high(), ours.low())).isEqualTo(theirs.toString());
  }

  @Test
  void randomDecimalsAreThoseOfTheOriginal(Random random) {
    for (int i = 0; i < 100_000; i++) {
      BigInteger digits = new BigInteger(random.nextInt(113), random);
      int scale = random.nextInt(-6111, 6177);
      BigDecimal number = new BigDecimal(random.nextBoolean() ? digits : digits.negate(), scale);
      Value ours = Value.decimal(number);
      Decimal128 theirs = new Decimal128(number);
      assertThat(ours.high()).isEqualTo(theirs.getHigh());
      assertThat(ours.low()).isEqualTo(theirs.getLow());
      assertThat(ours.asDecimal()).isEqualTo(number);
      assertThat(ours.asDouble()).isEqualTo(number.doubleValue());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", ".", "1e", "e5", "0x1", "1 ", "1_0", "Nan1", "--1", "1E1.5"})
  void whatIsNoNumberIsRefused(String text) {
    assertThat(refusal(text)).isEqualTo(Reason.MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"10000000000000000000000000000000001", "1E+6145", "1E-6177", "1E+2147483648"})
  void textThatWouldBeRoundedIsRefused(String text) {
    assertThat(refusal(text)).isEqualTo(Reason.MALFORMED);
  }

  @ParameterizedTest
  @CsvSource({
    "10000000000000000000000000000000005, 1.000000000000000000000000000000000E+34",
    "10000000000000000000000000000000015, 1.000000000000000000000000000000002E+34",
    "1E+6145, Infinity",
    "-1E+2000000000, -Infinity",
    "5E-6177, 0E-6176",
    "15E-6177, 2E-6176",
    "1E-2000000000, 0E-6176",
    "0E+2000000000, 0E+6111",
    "0E-2000000000, 0E-6176",
  })
  void arithmeticIsRoundedHalfToEvenAndClamped(BigDecimal number, String text) {
    Value decimal = Value.decimal(number);
    assertThat(Decimal.toString(decimal.high(), decimal.low())).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "1.9, 1",
    "-1.9, -1",
    "1E+3, 1000",
    "9223372036854775807, 9223372036854775807",
    "9223372036854775807.9, 9223372036854775807",
    "9223372036854775808, 9223372036854775807",
    "-9223372036854775809, -9223372036854775808",
    "1E+6000, 9223372036854775807",
    "-1E+6000, -9223372036854775808",
    "1E-6000, 0",
    "Infinity, 9223372036854775807",
    "NaN, 0",
  })
  void asLongCutsOffAndSaturates(String text, long expected) {
    assertThat(Value.decimal(text).asLong()).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({
    "6c00000000000000, 0",
    "6fffffffffffffff, -1",
    "3041ffffffffffff, -1",
    "3041ed09bead87c0, 378d8e6400000000"
  })
  void digitsThatNoDecimalHasCountAsZero(String high, String low) {
    long lower = low.equals("-1") ? -1 : Long.parseUnsignedLong(low, 16);
    Value decimal = Value.decimal(Long.parseUnsignedLong(high, 16), lower);
    assertThat(decimal.asDecimal().signum()).isZero();
    assertThat(Order.MONGO.compare(decimal, Value.of(0))).isZero();
  }

  @Test
  void longTextIsRefusedWithoutEffort() {
    assertThat(refusal("1".repeat(10_000_000) + "x")).isEqualTo(Reason.MALFORMED);
    assertThat(Decimal.isNumber("1".repeat(10_000_000) + "x")).isFalse();
  }

  private static Reason refusal(String text) {
    return catchThrowableOfType(ValueException.class, () -> Value.decimal(text)).reason();
  }
}
