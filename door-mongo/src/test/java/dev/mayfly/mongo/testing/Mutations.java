package dev.mayfly.mongo.testing;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Random mutations of valid bytes and documents; most results are invalid. */
public final class Mutations {
  private static final int[] ODD_NUMBERS = {0, -1, 1, 4, 5, Integer.MAX_VALUE, Integer.MIN_VALUE};

  private static final List<Value> ODD_VALUES =
      List.of(
          Value.NULL,
          Value.TRUE,
          Value.of(0),
          Value.of(-1),
          Value.of(1L << 40),
          Value.of(Double.NaN),
          Value.of(Double.POSITIVE_INFINITY),
          Value.of(1e300),
          Value.of(""),
          Value.of("$"),
          Value.of("$a"),
          Value.of("a.b"),
          Value.of("$$ROOT"),
          Value.of("é\u0000x"),
          Value.date(Long.MIN_VALUE),
          Value.date(0),
          Value.timestamp(0),
          Value.objectId(new byte[12]),
          Value.binary((byte) 4, new byte[16]),
          Value.of(Document.EMPTY),
          Value.array(List.of()),
          Value.array(List.of(Value.of(1), Value.of("x"), Value.NULL)));

  private final Random random;

  public Mutations(Random random) {
    this.random = random;
  }

  /** The bytes with a few random changes: replaced, truncated or duplicated bytes. */
  public byte[] of(byte[] original) {
    byte[] bytes = original.clone();
    int changes = 1 + random.nextInt(4);
    for (int i = 0; i < changes && bytes.length > 0; i++) {
      bytes = changed(bytes);
    }
    return bytes;
  }

  private byte[] changed(byte[] bytes) {
    int at = random.nextInt(bytes.length);
    switch (random.nextInt(6)) {
      case 0 -> bytes[at] = (byte) random.nextInt(256);
      case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
      case 2 -> writeNumber(bytes, at, ODD_NUMBERS[random.nextInt(ODD_NUMBERS.length)]);
      case 3 -> {
        return Arrays.copyOf(bytes, at);
      }
      case 4 -> {
        return doubled(bytes, at, random.nextInt(bytes.length - at) + 1);
      }
      default -> bytes[at] = (byte) (1 + random.nextInt(20));
    }
    return bytes;
  }

  private static void writeNumber(byte[] bytes, int at, int number) {
    for (int i = 0; i < Integer.BYTES && at + i < bytes.length; i++) {
      bytes[at + i] = (byte) (number >>> (8 * i));
    }
  }

  private static byte[] doubled(byte[] bytes, int at, int length) {
    byte[] longer = Arrays.copyOf(bytes, bytes.length + length);
    System.arraycopy(bytes, at, longer, at + length, bytes.length - at);
    return longer;
  }

  /** The document with random values replaced or removed, at any depth. */
  public Document of(Document original) {
    return of(original, false).asDocument();
  }

  private Value of(Document original, boolean array) {
    DocumentWriter writer = Document.writer();
    Fields fields = original.fields();
    List<Value> elements = new ArrayList<>();
    while (fields.next()) {
      Value value = of(fields.value());
      if (value.isMissing()) {
        continue;
      }
      if (array) {
        elements.add(value);
      } else {
        writer.put(random.nextInt(60) == 0 ? "odd" : fields.name(), value);
      }
    }
    return array ? Value.array(elements) : Value.of(writer.build());
  }

  private Value of(Value original) {
    int chance = random.nextInt(24);
    if (chance == 0) {
      return ODD_VALUES.get(random.nextInt(ODD_VALUES.size()));
    }
    if (chance == 1) {
      return Value.MISSING;
    }
    if (original.type() == Type.OBJECT || original.type() == Type.ARRAY) {
      return of(original.asDocument(), original.type() == Type.ARRAY);
    }
    return original;
  }
}
