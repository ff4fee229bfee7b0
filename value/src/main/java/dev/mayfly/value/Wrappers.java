package dev.mayfly.value;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;

/** Reads the objects of Extended JSON that represent one value, identified by their first name. */
final class Wrappers {
  private static final Set<String> RESERVED =
      Set.of(
          "$oid",
          "$symbol",
          "$numberInt",
          "$numberLong",
          "$numberDouble",
          "$numberDecimal",
          "$binary",
          "$uuid",
          "$code",
          "$scope",
          "$timestamp",
          "$regularExpression",
          "$dbPointer",
          "$date",
          "$minKey",
          "$maxKey",
          "$undefined");

  private static final byte UUID_SUBTYPE = 4;
  private static final Pattern INTEGER = Pattern.compile("-?\\d{1,19}");
  private static final Pattern UUID_TEXT =
      Pattern.compile("\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");
  private static final HexFormat HEX = HexFormat.of();

  private final JsonParser parser;
  private final Limits limits;
  private final int depth;

  /** A reader of the wrapper that the parser is in, whose first name is the current token. */
  Wrappers(JsonParser parser, Limits limits, int depth) {
    this.parser = parser;
    this.limits = limits;
    this.depth = depth;
  }

  static boolean reserved(String name) {
    return name.startsWith("$") && RESERVED.contains(name);
  }

  /** The value of the wrapper with this first name; its end is then the current token. */
  Value read(String first) throws IOException {
    try {
      Value value = value(first);
      require(parser.currentToken() == JsonToken.END_OBJECT, first);
      return value;
    } catch (IllegalArgumentException | ArithmeticException | DateTimeException _) {
      throw JsonReader.notJson(parser, "bad " + first);
    }
  }

  private Value value(String first) throws IOException {
    if (first.equals("$code") || first.equals("$scope")) {
      return code(first);
    }
    Value value = single(first);
    parser.nextToken();
    return value;
  }

  private Value single(String first) throws IOException {
    return switch (first) {
      case "$oid" -> Value.objectId(HEX.parseHex(text(first)));
      case "$symbol" -> Value.symbol(text(first));
      case "$numberInt" -> Value.of(Math.toIntExact(integer(text(first), first)));
      case "$numberLong" -> Value.of(integer(text(first), first));
      case "$numberDouble" -> Value.of(number(text(first), first));
      case "$numberDecimal" -> decimal(text(first), first);
      case "$uuid" -> uuid(text(first), first);
      case "$date" -> date(first);
      case "$binary" -> binary(first);
      case "$timestamp" -> timestamp(first);
      case "$regularExpression" -> regex(first);
      case "$dbPointer" -> pointer(first);
      case "$minKey" -> constant(JsonToken.VALUE_NUMBER_INT, Value.MIN_KEY, first);
      case "$maxKey" -> constant(JsonToken.VALUE_NUMBER_INT, Value.MAX_KEY, first);
      default -> constant(JsonToken.VALUE_TRUE, Value.UNDEFINED, first);
    };
  }

  private Value constant(JsonToken expected, Value value, String first) throws IOException {
    require(parser.nextToken() == expected, first);
    require(expected != JsonToken.VALUE_NUMBER_INT || parser.getText().equals("1"), first);
    return value;
  }

  private String text(String first) throws IOException {
    require(parser.nextToken() == JsonToken.VALUE_STRING, first);
    return parser.getText();
  }

  private long integer(String text, String first) {
    require(INTEGER.matcher(text).matches(), first);
    return Long.parseLong(text);
  }

  private double number(String text, String first) {
    return switch (text) {
      case "NaN" -> Double.NaN;
      case "Infinity" -> Double.POSITIVE_INFINITY;
      case "-Infinity" -> Double.NEGATIVE_INFINITY;
      default -> {
        require(Decimal.isNumber(text), first);
        yield Double.parseDouble(text);
      }
    };
  }

  private Value decimal(String text, String first) {
    try {
      return Value.decimal(text);
    } catch (ValueException _) {
      throw JsonReader.notJson(parser, "bad " + first);
    }
  }

  private Value uuid(String text, String first) {
    require(UUID_TEXT.matcher(text).matches(), first);
    UUID uuid = UUID.fromString(text);
    byte[] bytes = new byte[16];
    BigEndian.int64(bytes, 0, uuid.getMostSignificantBits());
    BigEndian.int64(bytes, 8, uuid.getLeastSignificantBits());
    return Value.binary(UUID_SUBTYPE, bytes);
  }

  private Value date(String first) throws IOException {
    return switch (parser.nextToken()) {
      case VALUE_STRING ->
          Value.date(OffsetDateTime.parse(parser.getText()).toInstant().toEpochMilli());
      case VALUE_NUMBER_INT -> Value.date(parser.getLongValue());
      case START_OBJECT -> {
        Document inner = members(1, first);
        yield Value.date(
            integer(member(inner, "$numberLong", Type.STRING, first).asString(), first));
      }
      default -> throw JsonReader.notJson(parser, "bad " + first);
    };
  }

  private Value binary(String first) throws IOException {
    Document inner = inner(2, first);
    String base64 = member(inner, "base64", Type.STRING, first).asString();
    String subtype = member(inner, "subType", Type.STRING, first).asString();
    require(subtype.length() == 1 || subtype.length() == 2, first);
    return Value.binary(
        (byte) HexFormat.fromHexDigits(subtype), Base64.getDecoder().decode(base64));
  }

  private Value timestamp(String first) throws IOException {
    Document inner = inner(2, first);
    long seconds = member(inner, "t", Type.INT64, first).asLong();
    long counter = member(inner, "i", Type.INT64, first).asLong();
    require(seconds >>> 32 == 0 && counter >>> 32 == 0, first);
    return Value.timestamp(seconds << 32 | counter);
  }

  private Value regex(String first) throws IOException {
    Document inner = inner(2, first);
    return Value.regex(
        member(inner, "pattern", Type.STRING, first).asString(),
        member(inner, "options", Type.STRING, first).asString());
  }

  private Value pointer(String first) throws IOException {
    Document inner = inner(2, first);
    String namespace = member(inner, "$ref", Type.STRING, first).asString();
    Document id = member(inner, "$id", Type.OBJECT, first).asDocument();
    String hex = member(id, "$oid", Type.STRING, first).asString();
    return Value.dbPointer(namespace, HEX.parseHex(hex));
  }

  /** Code alone, or code and scope in any order. */
  private Value code(String first) throws IOException {
    boolean scopeFirst = first.equals("$scope");
    Document scope = scopeFirst ? scope() : Document.EMPTY;
    if (scopeFirst) {
      require(parser.nextToken() == JsonToken.FIELD_NAME, first);
      require(parser.currentName().equals("$code"), first);
    }
    String source = text(first);
    if (parser.nextToken() == JsonToken.FIELD_NAME && !scopeFirst) {
      require(parser.currentName().equals("$scope"), first);
      Value value = Value.codeWithScope(source, scope());
      parser.nextToken();
      return value;
    }
    return scopeFirst ? Value.codeWithScope(source, scope) : Value.code(source);
  }

  private Document scope() throws IOException {
    require(parser.nextToken() == JsonToken.START_OBJECT, "$scope");
    return new JsonReader(parser, limits, true, depth).object();
  }

  private Document inner(int members, String first) throws IOException {
    require(parser.nextToken() == JsonToken.START_OBJECT, first);
    return members(members, first);
  }

  /**
   * Reads the members of the object whose start is the current token as plain JSON: wrappers inside
   * wrappers would nest without being counted.
   */
  private Document members(int count, String first) throws IOException {
    Document members = new JsonReader(parser, limits, false, depth - 1).object();
    Fields fields = members.fields();
    int found = 0;
    while (fields.next()) {
      found++;
    }
    require(found == count, first);
    return members;
  }

  private Value member(Document members, String name, Type type, String first) {
    Value member = members.field(name);
    require(member.type() == type, first);
    return member;
  }

  private void require(boolean held, String first) {
    if (!held) {
      throw JsonReader.notJson(parser, "bad " + first);
    }
  }
}
