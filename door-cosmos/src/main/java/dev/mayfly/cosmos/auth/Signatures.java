package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Checks request signatures that were made with the master key. Safe for many threads. */
public final class Signatures {
  private static final String MASTER = "master";
  private static final long SKEW_MILLIS = Duration.ofMinutes(15).toMillis();
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

  private final MasterKey key;
  private final Clock wall;
  private final Optional<Clock> testClock;

  /** The last date parsed: within a second, all requests have the same date. */
  private volatile Dated latest = new Dated("", 0);

  /** A date as text and in epoch milliseconds. */
  private record Dated(String text, long epochMillis) {}

  /**
   * Creates a checker for one key.
   *
   * @param wall clock of clients, which may differ from the clock of an engine
   * @param testClock another clock by which clients may date their requests
   */
  public Signatures(MasterKey key, Clock wall, Optional<Clock> testClock) {
    this.key = key;
    this.wall = wall;
    this.testClock = testClock;
  }

  /**
   * Checks the signature and the date of a request for a resource.
   *
   * @throws CosmosException 401, 403
   */
  public void check(Request request, String type, String link) {
    String header = request.header(HeaderNames.AUTHORIZATION);
    Credential credential =
        Credential.parse(header == null ? "" : header)
            .filter(parsed -> parsed.type().equals(MASTER))
            .orElseThrow(
                () ->
                    Guard.unauthorized(
                        "The authorization header must be a signature with type=master."));
    check(credential, request, type, List.of(link));
  }

  /** Whether a request has a valid signature for a resource. Does not check the date. */
  boolean isSigned(Credential credential, Request request, String type, List<String> links) {
    byte[] signature = credential.bytes();
    boolean signed = false;
    for (String link : links) {
      signed |= key.signed(payload(request, type, link), signature);
    }
    return signed;
  }

  /** As {@link #check(Request, String, String)}; the client may have signed any of the links. */
  void check(Credential credential, Request request, String type, List<String> links) {
    if (!isSigned(credential, request, type, links)) {
      throw Guard.unauthorized(
          "The input authorization token can't serve the request. The wrong key is being used or"
              + " the expected payload is not built as per the protocol. For more info:"
              + " https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to"
              + " sign: '"
              + payload(request, type, links.getFirst()).replace("\n", "\\n")
              + "'");
    }
    String msDate = request.header(HeaderNames.MS_DATE);
    checkDate(msDate == null ? request.header(HeaderNames.DATE) : msDate);
  }

  /** Returns a date in the form of requests. */
  static String date(long epochMillis) {
    return FORMAT.format(Instant.ofEpochMilli(epochMillis));
  }

  static String payload(Request request, String type, String link) {
    String msDate = request.header(HeaderNames.MS_DATE);
    String date = msDate == null ? request.header(HeaderNames.DATE) : null;
    return request.method().toLowerCase(Locale.ROOT)
        + "\n"
        + type
        + "\n"
        + link
        + "\n"
        + lower(msDate)
        + "\n"
        + lower(date)
        + "\n";
  }

  private static String lower(@Nullable String date) {
    return date == null ? "" : date.toLowerCase(Locale.ROOT);
  }

  private void checkDate(@Nullable String date) {
    if (date == null) {
      throw Guard.unauthorized("The request must have a date: x-ms-date or date.");
    }
    long signed = epochMillis(date);
    long now = wall.now();
    if (isFar(signed, now) && (testClock.isEmpty() || isFar(signed, testClock.get().now()))) {
      throw new CosmosException(
          Status.FORBIDDEN,
          "The authorization token is not valid at the current time. Please create another token"
              + " and retry (token start time: "
              + FORMAT.format(Instant.ofEpochMilli(signed))
              + ", token expiry time: "
              + FORMAT.format(Instant.ofEpochMilli(signed + SKEW_MILLIS))
              + ", current server time: "
              + FORMAT.format(Instant.ofEpochMilli(now))
              + ").");
    }
  }

  private static boolean isFar(long signed, long now) {
    return Math.abs(now - signed) > SKEW_MILLIS;
  }

  private long epochMillis(String date) {
    Dated known = latest;
    if (known.text().equals(date)) {
      return known.epochMillis();
    }
    try {
      long parsed = ZonedDateTime.parse(date, FORMAT).toInstant().toEpochMilli();
      latest = new Dated(date, parsed);
      return parsed;
    } catch (DateTimeParseException invalid) {
      throw Guard.unauthorized("The date of the request is not in the format of RFC 1123.");
    }
  }
}
