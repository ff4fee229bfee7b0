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
import org.jspecify.annotations.Nullable;

/** Checks what is signed with the master key. Safe for many threads. */
public final class Signatures {
  private static final String MASTER = "master";
  private static final long SKEW_MILLIS = Duration.ofMinutes(15).toMillis();
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

  private final MasterKey key;
  private final Clock wall;

  /** The last date seen: clients write the same one for a second. */
  private volatile Dated latest = new Dated("", 0);

  /** A date and when that is. */
  private record Dated(String text, long epochMillis) {}

  /**
   * Signatures of one key.
   *
   * @param wall the time that clients go by, whatever the time of the engine
   */
  public Signatures(MasterKey key, Clock wall) {
    this.key = key;
    this.wall = wall;
  }

  /**
   * Lets a request pass that is signed as one for a resource.
   *
   * @throws CosmosException 401, 403
   */
  public void check(Request request, String type, String link) {
    String header = request.header(HeaderNames.AUTHORIZATION);
    Credential credential =
        Credential.parse(header == null ? "" : header)
            .filter(shown -> shown.type().equals(MASTER))
            .orElseThrow(() -> Guard.unauthorized("A signature of type=master is expected."));
    check(credential, request, type, List.of(link));
  }

  /** Whether a request is signed as one for a resource, whatever its date. */
  boolean isSigned(Credential credential, Request request, String type, List<String> links) {
    byte[] signature = credential.bytes();
    boolean signed = false;
    for (String link : links) {
      signed |= key.signed(payload(request, type, link), signature);
    }
    return signed;
  }

  /** As above; the link may be written in several ways, of which the first is the usual one. */
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
    String own = request.header(HeaderNames.MS_DATE);
    checkDate(own == null ? request.header(HeaderNames.DATE) : own);
  }

  private static String payload(Request request, String type, String link) {
    String own = request.header(HeaderNames.MS_DATE);
    String usual = own == null ? request.header(HeaderNames.DATE) : null;
    return request.method().toLowerCase(Locale.ROOT)
        + "\n"
        + type
        + "\n"
        + link
        + "\n"
        + lower(own)
        + "\n"
        + lower(usual)
        + "\n";
  }

  private static String lower(@Nullable String date) {
    return date == null ? "" : date.toLowerCase(Locale.ROOT);
  }

  private void checkDate(@Nullable String date) {
    if (date == null) {
      throw Guard.unauthorized("The request must have a date: x-ms-date or date.");
    }
    long now = wall.now();
    long signed = epochMillis(date);
    if (Math.abs(now - signed) > SKEW_MILLIS) {
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

  private long epochMillis(String date) {
    Dated known = latest;
    if (known.text().equals(date)) {
      return known.epochMillis();
    }
    try {
      long parsed = ZonedDateTime.parse(date, FORMAT).toInstant().toEpochMilli();
      latest = new Dated(date, parsed);
      return parsed;
    } catch (DateTimeParseException nonsense) {
      throw Guard.unauthorized("The date of the request is not in the form of RFC 1123.");
    }
  }
}
