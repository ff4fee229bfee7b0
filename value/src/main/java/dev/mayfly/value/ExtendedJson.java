package dev.mayfly.value;

import dev.mayfly.value.JsonWriter.Style;
import java.io.IOException;
import java.io.OutputStream;

/**
 * MongoDB Extended JSON, version 2: JSON with a form for every BSON type.
 *
 * <p>The parser accepts both forms, also mixed. Plain integers become the smallest of INT32, INT64
 * and DOUBLE that holds them. An object inside the text whose first name is a reserved one must be
 * a complete and correct wrapper; other names that start with a dollar are plain names. Fails as
 * {@link Json} does.
 */
public final class ExtendedJson {
  private ExtendedJson() {}

  /** Parses a text with one object. */
  public static Document parse(String text, Limits limits) {
    return JsonReader.extended(text, limits).document();
  }

  /** Parses a UTF-8 text with one object. */
  public static Document parse(byte[] utf8, Limits limits) {
    return JsonReader.extended(utf8, limits).document();
  }

  /** Parses a text. */
  public static Value parseValue(String text, Limits limits) {
    return JsonReader.extended(text, limits).value();
  }

  /** Returns the relaxed form, which is easy to read and loses the types of numbers. */
  public static String relaxed(Document document) {
    return relaxed(Value.of(document));
  }

  /** Returns the relaxed form, which is easy to read and loses the types of numbers. */
  public static String relaxed(Value value) {
    return new JsonWriter(Style.RELAXED).write(value).text();
  }

  /**
   * Returns a form for editors, which loses nothing: as {@link #relaxed(Document)}, but integers of
   * 64 bits are marked. Doubles have a point or an exponent.
   */
  public static String typed(Document document) {
    return new JsonWriter(Style.TYPED).write(Value.of(document)).text();
  }

  /** Returns the canonical form, which loses nothing. */
  public static String canonical(Document document) {
    return canonical(Value.of(document));
  }

  /** Returns the canonical form, which loses nothing. */
  public static String canonical(Value value) {
    return new JsonWriter(Style.CANONICAL).write(value).text();
  }

  /** Writes the relaxed form as UTF-8. */
  public static void relaxed(Value value, OutputStream out) throws IOException {
    write(Style.RELAXED, value, out);
  }

  /** Writes the canonical form as UTF-8. */
  public static void canonical(Value value, OutputStream out) throws IOException {
    write(Style.CANONICAL, value, out);
  }

  private static void write(Style style, Value value, OutputStream out) throws IOException {
    JsonWriter writer = new JsonWriter(style).write(value);
    out.write(writer.buffer(), 0, writer.length());
  }
}
