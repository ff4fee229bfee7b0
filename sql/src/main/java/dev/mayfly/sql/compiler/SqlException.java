package dev.mayfly.sql.compiler;

import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.Serial;
import java.util.Locale;

/** Error in a query, with its position and the code that Cosmos DB has for it. */
public final class SqlException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1L;

  private final String code;
  private final transient Span span;
  private final String text;

  SqlException(String code, Span span, String text) {
    super(code + " at " + span.start() + ": " + text);
    this.code = code;
    this.span = span;
    this.text = text;
  }

  static SqlException near(Span span, String token) {
    return new SqlException("SC1001", span, "Syntax error, incorrect syntax near '" + token + "'.");
  }

  static SqlException atEnd(Span span) {
    return new SqlException("SC1001", span, "Syntax error, unexpected end-of-file.");
  }

  static SqlException badText(Span span, String token) {
    return new SqlException(
        "SC1010", span, "Syntax error, invalid string literal token '" + token + "'.");
  }

  static SqlException badNumber(Span span, String token) {
    return new SqlException(
        "SC1012", span, "Syntax error, invalid numeric value token '" + token + "'.");
  }

  static SqlException tooDeep(Span span, int max) {
    return new SqlException(
        "SC3001", span, "The query is nested deeper than the limit of " + max + " levels.");
  }

  static SqlException unresolved(Span span, String name) {
    return new SqlException("SC2001", span, "Identifier '" + name + "' could not be resolved.");
  }

  static SqlException unknownFunction(Span span, String name) {
    return new SqlException(
        "SC2005", span, "'" + name + "' is not a recognized built-in function name.");
  }

  static SqlException arguments(Span span, String name, int min, int max) {
    String number =
        min == max
            ? Integer.toString(min)
            : max == Integer.MAX_VALUE ? "at least " + min : min + " to " + max;
    return new SqlException(
        "SC2050",
        span,
        "The " + name.toUpperCase(Locale.ROOT) + " function requires " + number + " argument(s).");
  }

  /** Returns the code of Cosmos DB. */
  public String code() {
    return code;
  }

  /** Returns the position in the text. */
  public Span span() {
    return span;
  }

  /** Returns the message. */
  public String text() {
    return text;
  }

  /** Returns the error in the JSON form of Cosmos DB, which clients parse. */
  public String json() {
    return Json.write(
        Document.writer()
            .startArray("errors")
            .startDocument()
            .put("severity", "Error")
            .startDocument("location")
            .put("start", span.start())
            .put("end", span.end())
            .end()
            .put("code", code)
            .put("message", text)
            .end()
            .end()
            .build());
  }
}
