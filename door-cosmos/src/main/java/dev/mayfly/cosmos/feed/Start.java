package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.http.Request;
import java.time.DateTimeException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;

/** Where a client wants to read changes from. */
sealed interface Start {
  /** From the first item on. */
  record Beginning() implements Start {}

  /** What comes from now on. */
  record Now() implements Start {}

  /** What was written at an instant, in epoch milliseconds, or later. */
  record Since(long instant) implements Start {}

  /** Behind a position that it was told before. */
  record Behind(long position) implements Start {}

  /**
   * What the headers of a request say.
   *
   * @throws CosmosException 400
   */
  static Start of(Request request) {
    String etag = request.header(HeaderNames.IF_NONE_MATCH);
    String date = request.header(HeaderNames.IF_MODIFIED_SINCE);
    if (etag != null && !etag.isEmpty() && !etag.equals("*")) {
      return new Behind(position(etag));
    }
    if (date != null && !date.isEmpty()) {
      return new Since(instant(date));
    }
    return etag == null || etag.isEmpty() ? new Beginning() : new Now();
  }

  /** As clients are told it, and send it back. */
  static String etag(long position) {
    return "\"" + position + "\"";
  }

  private static long position(String etag) {
    String digits = etag.startsWith("\"") && etag.endsWith("\"") ? inner(etag) : etag;
    try {
      return Math.max(Long.parseLong(digits), 0);
    } catch (NumberFormatException notOurs) {
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
    } catch (DateTimeException notADate) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          CosmosException.errors("The header If-Modified-Since holds no valid date."));
    }
  }
}
