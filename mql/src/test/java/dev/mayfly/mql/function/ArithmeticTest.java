package dev.mayfly.mql.function;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Whole numbers against BigInteger, sums of doubles and decimal functions against BigDecimal. */
@ExtendWith(SeedExtension.class)
final class ArithmeticTest {
  private static final int ROUNDS = 2_000;

  @Test
  void wholeNumbersAreExactOrBecomeDouble(Random random) {
    for (int i = 0; i < ROUNDS; i++) {
      Value a = whole(random);
      Value b = whole(random);
      BigInteger x = BigInteger.valueOf(a.asLong());
      BigInteger y = BigInteger.valueOf(b.asLong());

      agrees(Arithmetic.add(a, b), x.add(y), a, b);
      agrees(Arithmetic.subtract(a, b), x.subtract(y), a, b);
      agrees(Arithmetic.multiply(new Value[] {a, b}), x.multiply(y), a, b);
      if (y.signum() != 0) {
        agrees(Arithmetic.mod(a, b), x.remainder(y), a, b);
      }
    }
  }

  @Test
  void sumsOfManyDoublesAreRoundedOnce(Random random) {
    for (int i = 0; i < 50; i++) {
      CompensatedSum sum = new CompensatedSum();
      BigDecimal exact = BigDecimal.ZERO;
      for (int j = 0; j < 200; j++) {
        double number = random.nextGaussian() * Math.pow(10, random.nextInt(12));
        sum.add(number);
        exact = exact.add(new BigDecimal(number));
      }

      double error = exact.subtract(new BigDecimal(sum.total())).abs().doubleValue();

      assertThat(error).isLessThanOrEqualTo(2 * Math.ulp(exact.doubleValue()));
    }
  }

  @Test
  void decimalFunctionsUndoOneAnother(Random random) {
    for (int i = 0; i < 100; i++) {
      BigDecimal number = BigDecimal.valueOf(random.nextDouble() * 100 + 0.001);
      BigDecimal back = DecimalMath.exp(DecimalMath.ln(number));

      assertThat(back.subtract(number).abs()).isLessThan(number.multiply(new BigDecimal("1e-31")));
      assertThat(DecimalMath.ln(number).doubleValue())
          .isCloseTo(Math.log(number.doubleValue()), within(1e-13));
    }
  }

  private static Value whole(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Value.of(random.nextInt());
      case 1 -> Value.of(random.nextInt(10) - 5);
      case 2 -> Value.of(random.nextLong());
      default -> Value.of((long) random.nextInt());
    };
  }

  private static void agrees(Value given, BigInteger exact, Value a, Value b) {
    if (exact.bitLength() > 63) {
      assertThat(given.type()).as("%s and %s", a, b).isEqualTo(Type.DOUBLE);
      // Both operands and the result are rounded.
      assertThat(given.asDouble())
          .isCloseTo(exact.doubleValue(), within(3 * Math.ulp(exact.doubleValue())));
      return;
    }
    assertThat(given.asLong()).as("%s and %s", a, b).isEqualTo(exact.longValue());
    boolean ints = a.type() == Type.INT32 && b.type() == Type.INT32 && exact.bitLength() < 32;
    assertThat(given.type()).isEqualTo(ints ? Type.INT32 : Type.INT64);
  }
}
