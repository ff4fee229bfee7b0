package dev.mayfly.query;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.HexFormat;
import java.util.UUID;

/** Text of values in messages: like the shell, on one line. */
public final class ShellText {
  private static final HexFormat HEX = HexFormat.of();
  private static final HexFormat UPPER_HEX = HexFormat.of().withUpperCase();
  private static final byte UUID_SUBTYPE = 4;

  private ShellText() {}

  /** Returns a field as name, colon, value. */
  public static String field(String name, Value value) {
    return name + ": " + of(value);
  }

  public static String of(Document document) {
    StringBuilder text = new StringBuilder();
    braced(document, true, text);
    return text.toString();
  }

  public static String of(Value value) {
    StringBuilder text = new StringBuilder();
    value(value, text);
    return text.toString();
  }

  private static void braced(Document document, boolean named, StringBuilder text) {
    text.append(named ? "{" : "[");
    Fields fields = document.fields();
    boolean first = true;
    while (fields.next()) {
      text.append(first ? " " : ", ");
      if (named) {
        text.append(fields.name()).append(": ");
      }
      value(fields.value(), text);
      first = false;
    }
    text.append(first ? "" : " ").append(named ? "}" : "]");
  }

  private static void value(Value value, StringBuilder text) {
    switch (value.type()) {
      case OBJECT -> braced(value.asDocument(), true, text);
      case ARRAY -> braced(value.asDocument(), false, text);
      case STRING, SYMBOL -> text.append('"').append(value.asString()).append('"');
      case INT32, INT64 -> text.append(value.asLong());
      case DOUBLE -> text.append(number(value.asDouble()));
      case DECIMAL128 -> text.append(decimal(value));
      case BOOLEAN -> text.append(value.asBoolean());
      case DATE -> text.append("new Date(").append(value.asDate()).append(')');
      case OBJECT_ID ->
          text.append("ObjectId('").append(HEX.formatHex(value.asObjectId())).append("')");
      case BINARY -> text.append(binary(value));
      case TIMESTAMP ->
          text.append("Timestamp(")
              .append(value.asTimestamp() >>> Integer.SIZE)
              .append(", ")
              .append(value.asTimestamp() & 0xFFFF_FFFFL)
              .append(')');
      case REGEX ->
          text.append('/').append(value.regexPattern()).append('/').append(value.regexOptions());
      case MIN_KEY -> text.append("MinKey");
      case MAX_KEY -> text.append("MaxKey");
      case NULL, MISSING -> text.append("null");
      case UNDEFINED -> text.append("undefined");
      case DB_POINTER, CODE, CODE_WITH_SCOPE -> text.append(value);
    }
  }

  private static String number(double number) {
    if (Double.isNaN(number)) {
      return "nan.0";
    }
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf.0" : "-inf.0";
    }
    boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
    return whole ? (long) number + ".0" : Double.toString(number);
  }

  private static String decimal(Value value) {
    if (value.isFinite()) {
      return value.asDecimal().toString();
    }
    return value.isNaN() ? "NaN" : value.asDouble() > 0 ? "Infinity" : "-Infinity";
  }

  private static String binary(Value value) {
    byte[] bytes = value.asBinary();
    if (value.binarySubtype() == UUID_SUBTYPE && bytes.length == 2 * Long.BYTES) {
      Value high = Value.view(Type.INT64, bytes, 0);
      Value low = Value.view(Type.INT64, bytes, Long.BYTES);
      UUID uuid = new UUID(Long.reverseBytes(high.asLong()), Long.reverseBytes(low.asLong()));
      return "UUID(\"" + uuid + "\")";
    }
    return "BinData(" + value.binarySubtype() + ", " + UPPER_HEX.formatHex(bytes) + ")";
  }
}
