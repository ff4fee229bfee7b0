package dev.mayfly.value;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.mayfly.value.testing.RandomValues;
import dev.mayfly.value.testing.SeedExtension;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@ExtendWith(SeedExtension.class)
final class KeyTest {
  private static final int POOL = 1_000;

  @ParameterizedTest
  @EnumSource
  void keysSortAsTheirValuesDo(Order order, Random random) {
    Value[] pool = pool(random);
    byte[][] keys = new byte[POOL][];
    Arrays.setAll(keys, i -> new KeyWriter().append(pool[i], order).bytes());
    for (int i = 0; i < POOL; i++) {
      for (int j = 0; j < POOL; j++) {
        int expected = Integer.signum(order.compare(pool[i], pool[j]));
        if (Integer.signum(Arrays.compareUnsigned(keys[i], keys[j])) != expected) {
          fail("keys of %s and %s do not compare as %d", pool[i], pool[j], expected);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void compoundKeysSortByTheFirstComponentThatDiffers(Order order, Random random) {
    Value[] pool = pool(random);
    for (int i = 0; i < 300_000; i++) {
      Value a = pool[random.nextInt(POOL)];
      Value b = random.nextBoolean() ? a : pool[random.nextInt(POOL)];
      Value c = pool[random.nextInt(POOL)];
      Value d = pool[random.nextInt(POOL)];
      int first = order.compare(a, b);
      int expected = first != 0 ? first : order.compare(d, c);
      int keyed =
          Arrays.compareUnsigned(
              ascendingDescending(a, c, order), ascendingDescending(b, d, order));
      if (Integer.signum(keyed) != Integer.signum(expected)) {
        fail("(%s, %s) and (%s, %s) do not compare as %d", a, c, b, d, expected);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyComponentEndsWhereTheNextStarts(Order order, Random random) {
    Value[] pool = pool(random);
    KeyWriter key = new KeyWriter();
    for (int i = 0; i < POOL; i++) {
      key.clear()
          .append(pool[i], order)
          .appendDescending(pool[i], order)
          .appendLong(-7)
          .appendInt(-8);
      KeyReader skipping = new KeyReader(key.bytes(), 0);
      int ascending = skipping.skip();
      assertThat(skipping.skipDescending()).isEqualTo(ascending);
      assertThat(skipping.readLong()).isEqualTo(-7);
      assertThat(skipping.readInt()).isEqualTo(-8);
      assertThat(skipping.atEnd()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void aValueComesBackFromItsKeyEqualInItsOrder(Order order, Random random) {
    KeyWriter key = new KeyWriter();
    for (Value value : pool(random)) {
      key.clear().append(value, order).appendDescending(value, order);
      KeyReader reader = new KeyReader(key.bytes(), 0);
      Value back = reader.read();
      assertThat(order.compare(back, value)).as("%s %s", back, value).isZero();
      assertThat(reader.readDescending()).isEqualTo(back);
      assertThat(reader.atEnd()).isTrue();
      if (KeyReader.roundTrips(value)) {
        assertThat(back).isEqualTo(value);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "MONGO, null, 1c",
    "COSMOS, null, 8c",
    "MONGO, true, 3801",
    "MONGO, 1, 20bff000000000000000",
    "COSMOS, -1, 94400fffffffffffff00",
    "MONGO, 9007199254740993, 20c3400000000000000180105b08145d374b0a5e00",
    "MONGO, '\"a\\u0000b\"', 246100ff620001",
    "MONGO, '[1,null]', 2c20bff0000000000000001c00",
    "MONGO, '{\"b\":1,\"a\":null}', 28206200bff0000000000000001c610000",
    "COSMOS, '{\"b\":1,\"a\":null}', a00161008c01620094bff00000000000000000",
    "MONGO, '{\"$date\":{\"$numberLong\":\"0\"}}', 3c8000000000000000",
    "MONGO, '{\"$binary\":{\"base64\":\"AQI=\",\"subType\":\"00\"}}', 3000000003000102",
  })
  void theFormatIsTheOneThatIsDocumented(Order order, String json, String hex) {
    Value value = ExtendedJson.parseValue(json, Limits.MONGO);
    byte[] key = new KeyWriter().append(value, order).bytes();
    assertThat(HexFormat.of().formatHex(key)).isEqualTo(hex);
  }

  @ParameterizedTest
  @EnumSource
  void bracketsHoldAllKeysOfTheirTypeAndNoOthers(Order order, Random random) {
    for (Value value : pool(random)) {
      int first = new KeyWriter().append(value, order).bytes()[0] & 0xFF;
      for (Type type : Type.values()) {
        boolean inside =
            first >= (Brackets.low(type, order) & 0xFF)
                && first < (Brackets.high(type, order) & 0xFF);
        assertThat(inside).isEqualTo(order.compareRanks(type, value.type()) == 0);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void tagsLeaveRoomForSentinelsOnBothSides(Order order) {
    for (Type type : Type.values()) {
      assertThat(Brackets.low(type, order) & 0xFF).isBetween(0x10, 0xEE);
    }
  }

  @ParameterizedTest
  @CsvSource({"a, a", "a, ab", "a, 'a\0'", "'a\0', 'a\0b'", "'', x", "x, x\ud83d\ude00"})
  void stringsWithAPrefixLieBetweenItsBounds(String prefix, String text) {
    KeyWriter bound = new KeyWriter().appendPrefix(prefix, Order.MONGO);
    byte[] key = new KeyWriter().append(Value.of(text), Order.MONGO).bytes();
    assertThat(Arrays.compareUnsigned(bound.bytes(), key)).isNegative();
    assertThat(Arrays.compareUnsigned(bound.appendByte(0xFF).bytes(), key)).isPositive();
  }

  @ParameterizedTest
  @CsvSource({"b, a", "b, c", "a, ''", "'a\0', a", "'a\0', 'a\u0001'"})
  void stringsWithoutThePrefixLieOutsideItsBounds(String prefix, String text) {
    KeyWriter bound = new KeyWriter().appendPrefix(prefix, Order.MONGO);
    byte[] key = new KeyWriter().append(Value.of(text), Order.MONGO).bytes();
    boolean above = Arrays.compareUnsigned(bound.bytes(), key) < 0;
    boolean below = Arrays.compareUnsigned(bound.appendByte(0xFF).bytes(), key) > 0;
    assertThat(above && below).isFalse();
  }

  @Test
  void longsSortAsSignedAndIntsAsUnsigned() {
    long[] longs = {Long.MIN_VALUE, -1, 0, 1, Long.MAX_VALUE};
    int[] ints = {0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, -1};
    for (int i = 1; i < 5; i++) {
      byte[] lowLong = new KeyWriter().appendLong(longs[i - 1]).bytes();
      byte[] highLong = new KeyWriter().appendLong(longs[i]).bytes();
      assertThat(Arrays.compareUnsigned(lowLong, highLong)).isNegative();
      byte[] lowInt = new KeyWriter().appendInt(ints[i - 1]).bytes();
      byte[] highInt = new KeyWriter().appendInt(ints[i]).bytes();
      assertThat(Arrays.compareUnsigned(lowInt, highInt)).isNegative();
    }
  }

  @Test
  void aTruncatedKeyGoesOnFromThere() {
    KeyWriter key = new KeyWriter().appendByte(1).appendBytes(new byte[] {2, 3, 4}, 1, 2);
    assertThat(key.truncate(2).appendByte(9).bytes()).containsExactly(1, 3, 9);
    assertThatThrownBy(() -> key.truncate(4)).isInstanceOf(IllegalArgumentException.class);
    assertThat(key.clear().length()).isZero();
  }

  @Test
  void bytesThatAreNoTagAreRefused() {
    KeyReader reader = new KeyReader(new byte[] {0x11}, 0);
    assertThatThrownBy(reader::read).isInstanceOf(ValueException.class);
  }

  private static byte[] ascendingDescending(Value up, Value down, Order order) {
    return new KeyWriter().append(up, order).appendDescending(down, order).bytes();
  }

  private static Value[] pool(Random random) {
    RandomValues values = new RandomValues(random);
    Value[] pool = new Value[POOL];
    for (int i = 0; i < POOL; i++) {
      pool[i] = i % 50 == 0 ? Value.MISSING : values.value(3);
    }
    return pool;
  }
}
