package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.http.Request;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Start of a change feed request. */
sealed interface Start {
  /** From the first item. */
  record Beginning() implements Start {}

  /** From now on. */
  record Now() implements Start {}

  /** From an instant in epoch milliseconds, inclusive. */
  record Since(long instant) implements Start {}

  /** After the position of a previous reply. */
  record After(long position) implements Start {}

  /**
   * Parses the headers of a request.
   *
   * @throws CosmosException 400
   */
  static Start of(Request request) {
    String etag = request.header(HeaderNames.IF_NONE_MATCH);
    String date = request.header(HeaderNames.IF_MODIFIED_SINCE);
    if (etag != null && !etag.isEmpty() && !etag.equals("*")) {
      return new After(position(etag));
    }
    if (date != null && !date.isEmpty()) {
      return new Since(instant(date));
    }
    return etag == null || etag.isEmpty() ? new Beginning() : new Now();
  }

  /** Returns the ETag of a position, which clients send back. */
  static String etag(long position) {
    return "\"" + position + "\"";
  }

  private static long position(String etag) {
    String digits = etag.startsWith("\"") && etag.endsWith("\"") ? inner(etag) : etag;
    try {
      return Math.max(Long.parseLong(digits), 0);
    } catch (NumberFormatException invalid) {
      throw new CosmosException(
          Status.BAD_REQUEST, CosmosException.errors("Invalid Continuation Token"));
    }
  }

  private static String inner(String quoted) {
    return quoted.length() < 2 ? quoted : quoted.substring(1, quoted.length() - 1);
  }

  private static long instant(String date) {
    try {
      return ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
          .toInstant()
          .toEpochMilli();
    } catch (DateTimeException invalid) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          CosmosException.errors(
              "The header If-Modified-Since must be a date in the format of RFC 1123."));
    }
  }
}
