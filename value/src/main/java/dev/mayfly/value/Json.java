package dev.mayfly.value;

import dev.mayfly.value.JsonWriter.Style;
import java.io.IOException;
import java.io.OutputStream;

/**
 * Plain JSON, as Cosmos DB and its clients use it.
 *
 * <p>Reading: integers in the range of 64 bits become INT64, all other numbers DOUBLE; a number too
 * large for a double is rejected. A name that appears twice is kept twice, as in BSON. Writing:
 * numbers in their shortest exact form, and types that JSON lacks as relaxed {@linkplain
 * ExtendedJson Extended JSON}.
 *
 * <p>Reading throws {@link ValueException} with NOT_JSON, MALFORMED, TOO_DEEP or TOO_LARGE, and
 * with the position: characters for text, bytes for UTF-8.
 */
public final class Json {
  private static final int ROOM_TO_SPARE = 64;

  private Json() {}

  /** Parses a text with one JSON object. */
  public static Document parse(String text, Limits limits) {
    return JsonReader.plain(text, limits).document();
  }

  /** Parses a UTF-8 text with one JSON object. */
  public static Document parse(byte[] utf8, Limits limits) {
    return JsonReader.plain(utf8, limits).document();
  }

  /** Parses a JSON text. */
  public static Value parseValue(String text, Limits limits) {
    return JsonReader.plain(text, limits).value();
  }

  /** Parses a JSON text in UTF-8. */
  public static Value parseValue(byte[] utf8, Limits limits) {
    return JsonReader.plain(utf8, limits).value();
  }

  /** The document as text. */
  public static String write(Document document) {
    return write(Value.of(document));
  }

  /** The value as text; a missing one as null. */
  public static String write(Value value) {
    return new JsonWriter(Style.PLAIN).write(value).text();
  }

  /**
   * The value as text with numbers as JavaScript shows them, which may not read back as the same
   * double: {@code 1e+21}, {@code 0} for the negative zero, whole numbers below that in full.
   */
  public static String stringify(Value value) {
    return new JsonWriter(Style.SCRIPT).write(value).text();
  }

  /** The document as UTF-8 text. */
  public static byte[] bytes(Document document) {
    return writer(document, 0).write(Value.of(document)).bytes();
  }

  /**
   * The document as UTF-8 text, with more members at its end.
   *
   * @param members at least one, in JSON, of plain characters only
   */
  public static byte[] bytes(Document document, String members) {
    return writer(document, members.length()).write(Value.of(document)).more(members).bytes();
  }

  /** Text is about as long as BSON. */
  private static JsonWriter writer(Document document, int more) {
    return new JsonWriter(Style.PLAIN, document.length() + more + ROOM_TO_SPARE);
  }

  /** Writes the value as UTF-8 text. */
  public static void write(Value value, OutputStream out) throws IOException {
    JsonWriter writer = new JsonWriter(Style.PLAIN).write(value);
    out.write(writer.buffer(), 0, writer.length());
  }
}
