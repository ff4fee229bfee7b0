package dev.mayfly.cosmos.auth;

import dev.mayfly.cosmos.http.Request;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.expiry.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lets in who has signed with the master key, or shows a token for what is asked. */
public final class Guard {
  private static final long SKEW_MILLIS = Duration.ofMinutes(15).toMillis();
  private static final DateTimeFormatter FORMAT =
      DateTimeFormatter.RFC_1123_DATE_TIME.withZone(ZoneOffset.UTC);

  private final MasterKey key;
  private final ResourceTokens tokens;
  private final Clock wall;

  /** The last date seen: clients write the same one for a second. */
  private volatile Dated latest = new Dated("", 0);

  /** A date and when that is. */
  private record Dated(String text, long epochMillis) {}

  /**
   * A guard.
   *
   * @param wall the time that clients go by, whatever the time of the engine
   */
  public Guard(MasterKey key, ResourceTokens tokens, Clock wall) {
    this.key = key;
    this.tokens = tokens;
    this.wall = wall;
  }

  /**
   * Lets a request pass.
   *
   * @throws Refusal 401, 403
   */
  public void check(Request request, Address address) {
    String header = request.header(HeaderNames.AUTHORIZATION);
    if (header == null) {
      throw unauthorized(
          "Required Header authorization is missing. Ensure a valid Authorization token is"
              + " passed.");
    }
    Credential credential = Credential.parse(header).orElseThrow(Guard::unknownFormat);
    switch (credential.type()) {
      case "master" -> checkMaster(credential, request, address);
      case "resource" -> tokens.check(credential, request, address, wall.now());
      default -> throw unknownFormat();
    }
  }

  private static Refusal unknownFormat() {
    return unauthorized(
        "The input authorization token is not in a valid format: type=master or type=resource is"
            + " expected.");
  }

  static Refusal unauthorized(String message) {
    return new Refusal(Status.UNAUTHORIZED, message);
  }

  private void checkMaster(Credential credential, Request request, Address address) {
    String own = request.header(HeaderNames.MS_DATE);
    String usual = own == null ? request.header(HeaderNames.DATE) : null;
    String payload = payload(request.method(), address, own, usual);
    byte[] signature = credential.bytes();
    if (!key.signed(payload, signature) && !signedAsWritten(request, address, payload, signature)) {
      throw unauthorized(
          "The input authorization token can't serve the request. The wrong key is being used or"
              + " the expected payload is not built as per the protocol. For more info:"
              + " https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to"
              + " sign: '"
              + payload.replace("\n", "\\n")
              + "'");
    }
    checkDate(own == null ? usual : own);
  }

  private static String payload(
      String method, Address address, @Nullable String own, @Nullable String usual) {
    boolean operation = address.type() == ResourceType.OPERATION;
    String type = operation ? ResourceType.CONTAINER.word() : address.type().word();
    String link = operation ? operatedOn(address.link()) : address.link();
    return method.toLowerCase(Locale.ROOT)
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

  /** An operation is signed as its container. */
  private static String operatedOn(String link) {
    int at = link.indexOf("/" + ResourceType.OPERATION.word());
    return at < 0 ? link : link.substring(0, at);
  }

  private static String lower(@Nullable String date) {
    return date == null ? "" : date.toLowerCase(Locale.ROOT);
  }

  /** Some clients sign names with the escapes of the path. */
  private boolean signedAsWritten(
      Request request, Address address, String payload, byte[] signature) {
    if (request.path().indexOf('%') < 0 || address.link().isEmpty()) {
      return false;
    }
    String path = request.path().substring(1);
    String raw = address.feed() ? path.substring(0, path.lastIndexOf('/')) : path;
    return key.signed(payload.replace("\n" + address.link() + "\n", "\n" + raw + "\n"), signature);
  }

  private void checkDate(@Nullable String date) {
    if (date == null) {
      throw unauthorized("The request must have a date: x-ms-date or date.");
    }
    long now = wall.now();
    long signed = epochMillis(date);
    if (Math.abs(now - signed) > SKEW_MILLIS) {
      throw new Refusal(
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
      throw unauthorized("The date of the request is not in the form of RFC 1123.");
    }
  }
}
