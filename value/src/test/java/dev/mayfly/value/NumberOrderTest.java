package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Numbers of four types on one line: the oracle is {@link java.math.BigDecimal}. */
@ExtendWith(SeedExtension.class)
final class NumberOrderTest {
  private static final int POOL = 2_400;

  /** Numbers in the order of the oracle; equal ones share a rank. All pairs are then compared. */
  private record Ranked(Value number, int rank, Key key) {}

  /** Bytes in unsigned order. */
  private static final class Key {
    private final byte[] bytes;

    Key(Value value, Order order) {
      bytes = new KeyWriter().append(value, order).bytes();
    }

    int compare(Key other) {
      return Arrays.compareUnsigned(bytes, other.bytes);
    }
  }

  @Test
  void millionsOfPairsCompareAsExactNumbersDo(Random random) {
    Ranked[] ranked = ranked(pool(random), Order.MONGO);
    for (Ranked a : ranked) {
      for (Ranked b : ranked) {
        int expected = Integer.compare(a.rank(), b.rank());
        int compared = Integer.signum(Order.MONGO.compare(a.number(), b.number()));
        int keyed = Integer.signum(a.key().compare(b.key()));
        if (compared != expected || keyed != expected) {
          fail("%s %s: expected %d, %d, %d", show(a), show(b), expected, compared, keyed);
        }
      }
    }
    assertThat(ranked[POOL - 1].rank()).as("many numbers differ").isGreaterThan(POOL / 4);
  }

  @Test
  void aNumberComesBackFromItsKeyAsTheSameNumber(Random random) {
    KeyWriter key = new KeyWriter();
    for (Value number : pool(random)) {
      byte[] bytes = key.clear().append(number, Order.COSMOS).appendByte(0x42).bytes();
      KeyReader reader = new KeyReader(bytes, 0);
      Value back = reader.read();
      assertThat(compareExactly(back, number)).as("%s %s", back, number).isZero();
      assertThat(reader.position()).isEqualTo(bytes.length - 1);
      if (KeyReader.roundTrips(number)) {
        assertThat(back).isEqualTo(number);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "INT32, 7, true",
    "INT64, 7, false",
    "INT64, 2147483648, true",
    "INT64, 9007199254740993, true",
    "DOUBLE, 7, false",
    "DOUBLE, 7.5, true",
    "DOUBLE, -0.0, false",
    "DOUBLE, 1e300, true",
    "DOUBLE, Infinity, true",
    "DECIMAL128, 7.5, false",
  })
  void whatRoundTripsIsKnownInAdvance(Type type, String text, boolean expected) {
    Value number = number(type, text);
    Value back = new KeyReader(new KeyWriter().append(number, Order.MONGO).bytes(), 0).read();
    assertThat(KeyReader.roundTrips(number)).isEqualTo(expected);
    assertThat(back.equals(number)).isEqualTo(expected);
  }

  @Test
  void wholeNumbersTakeTenBytes() {
    for (Value number : new Value[] {Value.of(1), Value.of(1L << 53), Value.of(0.1)}) {
      assertThat(new KeyWriter().append(number, Order.MONGO).length()).isEqualTo(10);
    }
  }

  private static Value number(Type type, String text) {
    return switch (type) {
      case INT32 -> Value.of(Integer.parseInt(text));
      case INT64 -> Value.of(Long.parseLong(text));
      case DOUBLE -> Value.of(Double.parseDouble(text));
      default -> Value.decimal(text);
    };
  }

  private static Value[] pool(Random random) {
    RandomValues values = new RandomValues(random);
    Value[] pool = new Value[POOL];
    for (int i = 0; i < POOL; i++) {
      pool[i] = i % 3 == 0 ? values.number() : values.nearby(pool[random.nextInt(i)]);
    }
    return pool;
  }

  private static Ranked[] ranked(Value[] pool, Order order) {
    Arrays.sort(pool, NumberOrderTest::compareExactly);
    Ranked[] ranked = new Ranked[pool.length];
    int rank = 0;
    for (int i = 0; i < pool.length; i++) {
      rank += i > 0 && compareExactly(pool[i - 1], pool[i]) != 0 ? 1 : 0;
      ranked[i] = new Ranked(pool[i], rank, new Key(pool[i], order));
    }
    return ranked;
  }

  private static int compareExactly(Value a, Value b) {
    if (a.isFinite() && b.isFinite()) {
      return a.asDecimal().compareTo(b.asDecimal());
    }
    return Integer.compare(place(a), place(b));
  }

  /** NaN, negative infinity, all that is finite, positive infinity. */
  private static int place(Value number) {
    if (number.isNaN()) {
      return 0;
    }
    return number.isFinite() ? 2 : number.asDouble() < 0 ? 1 : 3;
  }

  private static String show(Ranked ranked) {
    return ranked.number().type() + " " + ranked.number();
  }
}
