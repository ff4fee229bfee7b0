package dev.mayfly.value.testing;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Values drawn to find trouble: of every type, close to one another, and near every edge there is.
 */
public final class RandomValues {
  private static final double[] EDGES = {
    0.0,
    -0.0,
    1.0,
    0.1,
    1e22,
    1e23,
    0x1p31,
    0x1p53,
    0x1p63,
    0x1p64,
    Double.MIN_VALUE,
    Double.MIN_NORMAL,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN
  };
  private static final String[] DECIMALS = {
    "NaN",
    "Infinity",
    "-Infinity",
    "0",
    "-0",
    "0E+6111",
    "0E-6176",
    "1E-6176",
    "-1E-6176",
    "9.999999999999999999999999999999999E+6144",
    "-9.999999999999999999999999999999999E+6144",
    "1E+6000",
    "1E-6000",
    "1.000000000000000000000000000000000",
    "9007199254740993",
    "9223372036854775808",
    "9223372036854775807.5",
    "-9223372036854775808.5",
    "4.940656458412465441765687928682213E-324",
    "1.797693134862315807E+308",
    "1.797693134862315708E+308"
  };
  private static final String[] ALPHABET = {
    "",
    "\0",
    "\u0001",
    "a",
    "b",
    "ab",
    "\u007f",
    "\u00e9",
    "\ud7ff",
    "\ue000",
    "\uffff",
    "\ud83d\ude00"
  };

  private final Random random;

  public RandomValues(Random random) {
    this.random = random;
  }

  /** A number of any type, more often than not at an edge or in a crowd. */
  public Value number() {
    return switch (random.nextInt(4)) {
      case 0 -> Value.of(integer32());
      case 1 -> Value.of(integer64());
      case 2 -> Value.of(real());
      default -> decimal();
    };
  }

  /** The same number in another type or form, or one right beside it. */
  public Value nearby(Value number) {
    if (!number.isFinite()) {
      return random.nextBoolean() ? Value.of(number.asDouble()) : number();
    }
    BigDecimal exact = number.asDecimal();
    return switch (random.nextInt(6)) {
      case 0 -> Value.of(number.asDouble());
      case 1 -> Value.of(number.asLong() + random.nextInt(3) - 1);
      case 2 -> Value.decimal(exact);
      case 3 -> Value.decimal(exact.add(exact.ulp().multiply(BigDecimal.valueOf(jitter()))));
      case 4 -> Value.decimal(cohort(exact));
      default -> Value.of(number.asDouble() + jitter() * Math.ulp(number.asDouble()));
    };
  }

  /** A value of any type with up to this many levels of arrays and objects in it. */
  public Value value(int levels) {
    return switch (random.nextInt(levels > 0 ? 24 : 20)) {
      case 0 -> Value.NULL;
      case 1 -> Value.of(random.nextBoolean());
      case 2, 3, 4 -> number();
      case 5, 6 -> Value.of(text());
      case 7 -> Value.symbol(text());
      case 8 -> Value.binary((byte) random.nextInt(-2, 6), bytes(random.nextInt(4)));
      case 9 -> Value.objectId(few(12));
      case 10 -> Value.date(integer64());
      case 11 -> Value.timestamp(integer64());
      case 12 -> Value.regex(name(), random.nextBoolean() ? "" : "im");
      case 13 -> Value.dbPointer(text(), few(12));
      case 14 -> Value.code(text());
      case 15 -> Value.codeWithScope(text(), document(levels - 1));
      case 16 -> Value.MIN_KEY;
      case 17 -> Value.MAX_KEY;
      case 18 -> Value.UNDEFINED;
      case 19 -> Value.of(integer32());
      case 20, 21 -> Value.of(document(levels - 1));
      default -> array(levels - 1);
    };
  }

  /** A small document; its names differ. */
  public Document document(int levels) {
    DocumentWriter writer = Document.writer();
    List<String> names = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      String name = name();
      if (!names.contains(name)) {
        names.add(name);
        writer.put(name, value(levels));
      }
    }
    return writer.build();
  }

  /** A short text of troublesome characters. */
  public String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(4); i > 0; i--) {
      text.append(ALPHABET[random.nextInt(ALPHABET.length)]);
    }
    return text.toString();
  }

  private Value array(int levels) {
    List<Value> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(value(levels));
    }
    return Value.array(elements);
  }

  private String name() {
    return text().replace("\0", "");
  }

  private int integer32() {
    return random.nextBoolean() ? random.nextInt(-3, 4) : random.nextInt();
  }

  private long integer64() {
    long power = 1L << random.nextInt(64);
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextInt(-3, 4);
      default -> (random.nextBoolean() ? power : -power) + random.nextInt(-3, 4);
    };
  }

  private double real() {
    double edge = EDGES[random.nextInt(EDGES.length)];
    double signed = random.nextBoolean() ? edge : -edge;
    return switch (random.nextInt(4)) {
      case 0 -> Double.longBitsToDouble(random.nextLong());
      case 1 -> random.nextInt(-300, 301) / 100.0;
      case 2 -> signed;
      default -> signed + jitter() * Math.ulp(signed);
    };
  }

  private Value decimal() {
    return switch (random.nextInt(5)) {
      case 0 -> Value.decimal(random.nextLong(), random.nextLong());
      case 1 -> Value.decimal(DECIMALS[random.nextInt(DECIMALS.length)]);
      case 2 -> Value.decimal(BigDecimal.valueOf(random.nextInt(-300, 301), 2));
      case 3 -> Value.decimal(new BigDecimal(new BigInteger(113, random), random.nextInt(40)));
      default -> Value.decimal(BigDecimal.valueOf(random.nextLong(), random.nextInt(-30, 30)));
    };
  }

  private static BigDecimal cohort(BigDecimal number) {
    return number.precision() < 30 ? number.setScale(number.scale() + 3) : number;
  }

  private int jitter() {
    return random.nextInt(-2, 3);
  }

  private byte[] bytes(int count) {
    byte[] bytes = new byte[count];
    random.nextBytes(bytes);
    return bytes;
  }

  private byte[] few(int count) {
    byte[] bytes = new byte[count];
    bytes[random.nextInt(count)] = (byte) random.nextInt(-2, 3);
    return bytes;
  }
}
