package dev.mayfly.value;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/**
 * Writes values as JSON text in UTF-8.
 *
 * <p>Strings are copied without being decoded. BSON is read in one pass; open containers are on a
 * stack of closing brackets, so depth costs no thread stack.
 */
final class JsonWriter {
  /** Form of values that JSON lacks. */
  enum Style {
    /** As {@link #RELAXED}, but a double that is a whole number looks like one. */
    PLAIN,
    /** As {@link #PLAIN}, but doubles look as in JavaScript. */
    SCRIPT,
    /** Extended JSON that loses the types of numbers and is easy to read. */
    RELAXED,
    /** Extended JSON that loses nothing and leaves most numbers plain. */
    TYPED,
    /** Extended JSON that loses nothing. */
    CANONICAL
  }

  private static final HexFormat HEX = HexFormat.of();
  private static final DateTimeFormatter SECONDS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
  private static final DateTimeFormatter MILLIS =
      DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final long END_OF_9999 = 253_402_300_800_000L;
  private static final long EXACT_INTEGERS = 1L << 53;
  private static final String LONG = "$numberLong";
  private static final byte[] NOTHING = {};
  private static final int USUAL_ROOM = 512;

  /** Between these two, Java writes no power of ten. */
  private static final double POWERS_BELOW = 1e-3;

  private static final double POWERS_FROM = 1e7;
  private static final double SMALLEST_PLAIN = 1e-6;

  /** From here on JavaScript writes powers of ten, too. */
  private static final double SCRIPT_POWERS_FROM = 1e21;

  private final Style style;
  private byte[] out;
  private int length;
  private String[] closings = new String[8];
  private int depth;
  private byte[] in = NOTHING;
  private int at;

  JsonWriter(Style style) {
    this(style, USUAL_ROOM);
  }

  /**
   * @param room expected size in bytes
   */
  JsonWriter(Style style, int room) {
    this.style = style;
    this.out = new byte[room];
  }

  /** Returns the bytes written, with unused room after them. */
  byte[] buffer() {
    return out;
  }

  int length() {
    return length;
  }

  /** Returns the bytes written, in an array of exactly their length. */
  byte[] bytes() {
    return length == out.length ? out : Arrays.copyOf(out, length);
  }

  /** Adds members, given in JSON, to the object that was written. */
  JsonWriter more(String asciiMembers) {
    length--;
    if (out[length - 1] != '{') {
      put(',');
    }
    ascii(asciiMembers).put('}');
    return this;
  }

  String text() {
    return Utf8.string(out, 0, length);
  }

  /** Writes the value; a missing one as null. */
  JsonWriter write(Value value) {
    in = value.buffer();
    at = value.offset();
    value(value.type());
    while (depth > 0) {
      if (in[at] == 0) {
        at++;
        ascii(closings[--depth]);
      } else {
        element();
      }
    }
    return this;
  }

  private void element() {
    Type type = Type.orMissing(in[at]);
    int name = at + 1;
    int end = Utf8.end(in, name);
    // A bracket can only be the last byte if nothing follows it yet.
    if (out[length - 1] != '{' && out[length - 1] != '[') {
      put(',');
    }
    if (!"]".equals(closings[depth - 1])) {
      quoted(in, name, end);
      put(':');
    }
    at = end + 1;
    value(type);
  }

  /** Writes the value that starts here, or only enters it if it is a container. */
  private void value(Type type) {
    int start = at;
    if (type == Type.OBJECT || type == Type.ARRAY) {
      open(type == Type.OBJECT ? "{" : "[", type == Type.OBJECT ? "}" : "]");
    } else if (type == Type.CODE_WITH_SCOPE) {
      ascii("{\"$code\":");
      at = string(start + 4);
      open(",\"$scope\":{", "}}");
    } else {
      scalar(type);
      at = start + type.length(in, start);
    }
  }

  private void open(String opening, String closing) {
    ascii(opening);
    if (depth == closings.length) {
      closings = Arrays.copyOf(closings, depth * 2);
    }
    closings[depth++] = closing;
    at += 4;
  }

  private void scalar(Type type) {
    switch (type) {
      case MISSING, NULL -> ascii("null");
      case BOOLEAN -> ascii(in[at] != 0 ? "true" : "false");
      case STRING -> string(at);
      case INT32 -> integer("$numberInt", LittleEndian.int32(in, at));
      case INT64 -> integer(LONG, LittleEndian.int64(in, at));
      case DOUBLE -> number(LittleEndian.float64(in, at));
      case DECIMAL128 -> {
        String number =
            Decimal.toString(LittleEndian.int64(in, at + 8), LittleEndian.int64(in, at));
        ascii("{\"$numberDecimal\":\"").ascii(number).ascii("\"}");
      }
      case DATE -> date(LittleEndian.int64(in, at));
      case OBJECT_ID -> objectId(at);
      case BINARY -> binary();
      case REGEX -> regex();
      case TIMESTAMP -> timestamp();
      case DB_POINTER -> pointer();
      case CODE -> wrappedString("$code");
      case SYMBOL -> wrappedString("$symbol");
      case UNDEFINED -> ascii("{\"$undefined\":true}");
      case MIN_KEY -> ascii("{\"$minKey\":1}");
      case MAX_KEY -> ascii("{\"$maxKey\":1}");
      case OBJECT, ARRAY, CODE_WITH_SCOPE -> throw new AssertionError(type);
    }
  }

  private void integer(String wrapper, long number) {
    if (style == Style.CANONICAL || (style == Style.TYPED && wrapper.equals(LONG))) {
      wrapped(wrapper, Long.toString(number));
    } else {
      ascii(Long.toString(number));
    }
  }

  private void number(double number) {
    if (style == Style.CANONICAL || !Double.isFinite(number)) {
      wrapped("$numberDouble", Double.toString(number));
    } else if (style == Style.SCRIPT) {
      ascii(inScript(number));
    } else if (style == Style.PLAIN && isWhole(number)) {
      ascii(Long.toString((long) number));
    } else if (style == Style.PLAIN && isFraction(number)) {
      ascii(new BigDecimal(Double.toString(number)).stripTrailingZeros().toPlainString());
    } else {
      ascii(Double.toString(number));
    }
  }

  /** Writes the shortest digits that identify a double, as JavaScript does. */
  private static String inScript(double number) {
    if (number == 0) {
      return "0";
    }
    double size = Math.abs(number);
    BigDecimal decimal = new BigDecimal(Double.toString(number)).stripTrailingZeros();
    if (size >= SMALLEST_PLAIN && size < SCRIPT_POWERS_FROM) {
      return decimal.toPlainString();
    }
    String digits = decimal.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - decimal.scale();
    return (number < 0 ? "-" : "")
        + digits.charAt(0)
        + (digits.length() > 1 ? "." : "")
        + digits.substring(1)
        + (exponent < 0 ? "e" : "e+")
        + exponent;
  }

  /**
   * Returns true for numbers that Java writes with an exponent, but JSON writers usually do not.
   */
  private static boolean isFraction(double number) {
    double size = Math.abs(number);
    boolean powered = size >= POWERS_FROM || size < POWERS_BELOW;
    return powered && size >= SMALLEST_PLAIN && number != Math.rint(number);
  }

  /** Returns true for doubles that a long represents exactly, except the negative zero. */
  private static boolean isWhole(double number) {
    return number == Math.rint(number)
        && Math.abs(number) <= EXACT_INTEGERS
        && Double.doubleToRawLongBits(number) != Long.MIN_VALUE;
  }

  private void date(long epochMillis) {
    if (style == Style.CANONICAL || epochMillis < 0 || epochMillis >= END_OF_9999) {
      ascii("{\"$date\":");
      wrapped("$numberLong", Long.toString(epochMillis));
      put('}');
    } else {
      DateTimeFormatter format = epochMillis % 1000 == 0 ? SECONDS : MILLIS;
      wrapped("$date", format.format(Instant.ofEpochMilli(epochMillis)));
    }
  }

  private void objectId(int offset) {
    wrapped("$oid", HEX.formatHex(in, offset, offset + 12));
  }

  private void binary() {
    Value binary = Value.view(Type.BINARY, in, at);
    ascii("{\"$binary\":{\"base64\":\"")
        .ascii(Base64.getEncoder().encodeToString(binary.asBinary()))
        .ascii("\",\"subType\":\"")
        .ascii(HEX.toHexDigits(binary.binarySubtype()))
        .ascii("\"}}");
  }

  private void regex() {
    int pattern = Utf8.end(in, at);
    int options = Utf8.end(in, pattern + 1);
    ascii("{\"$regularExpression\":{\"pattern\":");
    quoted(in, at, pattern);
    ascii(",\"options\":");
    quoted(in, pattern + 1, options);
    ascii("}}");
  }

  private void timestamp() {
    ascii("{\"$timestamp\":{\"t\":")
        .ascii(Integer.toUnsignedString(LittleEndian.int32(in, at + 4)))
        .ascii(",\"i\":")
        .ascii(Integer.toUnsignedString(LittleEndian.int32(in, at)))
        .ascii("}}");
  }

  private void pointer() {
    ascii("{\"$dbPointer\":{\"$ref\":");
    int id = string(at);
    ascii(",\"$id\":");
    objectId(id);
    ascii("}}");
  }

  private void wrappedString(String wrapper) {
    ascii("{\"").ascii(wrapper).ascii("\":");
    string(at);
    put('}');
  }

  private void wrapped(String wrapper, String plain) {
    ascii("{\"").ascii(wrapper).ascii("\":\"").ascii(plain).ascii("\"}");
  }

  /** Writes the BSON string at the offset and returns the offset after it. */
  private int string(int offset) {
    int end = offset + 4 + LittleEndian.int32(in, offset);
    quoted(in, offset + 4, end - 1);
    return end;
  }

  private void quoted(byte[] source, int start, int end) {
    put('"');
    int from = start;
    for (int i = plainEnd(source, from, end); i < end; i = plainEnd(source, from, end)) {
      bytes(source, from, i - from);
      escape(source[i]);
      from = i + 1;
    }
    bytes(source, from, end - from);
    put('"');
  }

  /** Returns the position of the first byte that needs an escape, or the end. */
  private static int plainEnd(byte[] source, int start, int end) {
    int at = start;
    while (at + Long.BYTES <= end && Utf8.isPlain(LittleEndian.int64(source, at))) {
      at += Long.BYTES;
    }
    while (at < end && !isSpecial(source[at])) {
      at++;
    }
    return at;
  }

  private static boolean isSpecial(byte b) {
    return b == '"' || b == '\\' || (b >= 0 && b < 0x20);
  }

  private void escape(byte b) {
    switch (b) {
      case '"' -> ascii("\\\"");
      case '\\' -> ascii("\\\\");
      case '\n' -> ascii("\\n");
      case '\r' -> ascii("\\r");
      case '\t' -> ascii("\\t");
      case '\b' -> ascii("\\b");
      case '\f' -> ascii("\\f");
      default -> ascii("\\u00").ascii(HEX.toHexDigits(b));
    }
  }

  private JsonWriter ascii(String text) {
    reserve(text.length());
    for (int i = 0; i < text.length(); i++) {
      out[length++] = (byte) text.charAt(i);
    }
    return this;
  }

  private void bytes(byte[] source, int offset, int count) {
    reserve(count);
    System.arraycopy(source, offset, out, length, count);
    length += count;
  }

  private void put(char c) {
    reserve(1);
    out[length++] = (byte) c;
  }

  private void reserve(int more) {
    if (more > out.length - length) {
      out = Arrays.copyOf(out, Math.max(length + more, 2 * out.length));
    }
  }
}
