package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Throughput of a container in request units per second.
 *
 * @param units fixed throughput, or the maximum with autoscale; 0 for no limit
 * @param upgrade policy for raising the autoscale maximum, which is stored and has no effect; empty
 *     if there is none
 * @param level name of a former performance level, else {@link #NO_LEVEL}
 */
record Throughput(long units, boolean autoscale, Document upgrade, String level) {
  static final String LEVEL = "offerType";
  static final String NO_LEVEL = "Invalid";
  static final Throughput UNLIMITED = fixed(0, NO_LEVEL);

  private static final long MIN = 400;

  /** Reported for a container without throughput. */
  static final Throughput STANDARD = fixed(MIN, NO_LEVEL);

  private static final long MIN_AUTOSCALE = 1000;
  private static final long MAX = 1_000_000;
  private static final long STEP = 100;
  private static final long AUTOSCALE_STEP = 1000;
  private static final long AUTOSCALE_RATIO = 10;
  private static final String UNITS = "offerThroughput";
  private static final String MAX_UNITS = "maxThroughput";
  private static final String AUTOPILOT = "offerAutopilotSettings";
  private static final String UPGRADE = "autoUpgradePolicy";

  /**
   * Parses the headers of a request that creates a resource.
   *
   * @throws CosmosException 400
   */
  static Throughput requested(Request request) {
    String fixed = request.header(HeaderNames.OFFER_THROUGHPUT);
    String scaling = request.header(HeaderNames.AUTOPILOT_SETTINGS);
    if (fixed != null && scaling != null) {
      throw CosmosException.wrong("Throughput must be either manual or autoscale, not both.");
    }
    if (scaling != null) {
      return autoscale(Json.parse(scaling, Limits.COSMOS));
    }
    return fixed == null ? level(request.header(HeaderNames.OFFER_TYPE)) : fixed(number(fixed));
  }

  /** Performance levels from before throughput was configurable. */
  private static Throughput level(@Nullable String name) {
    String level = name == null ? "" : name.toUpperCase(Locale.ROOT);
    return switch (level) {
      case "S1" -> fixed(250, level);
      case "S2" -> fixed(1000, level);
      case "S3" -> fixed(2500, level);
      default -> UNLIMITED;
    };
  }

  /** Parses a stored offer. */
  static Throughput stored(Document offer) {
    Document content = offer.field("content").asDocument();
    Value autopilot = content.field(AUTOPILOT);
    Value level = offer.field(LEVEL);
    return autopilot.isDocument()
        ? scaling(autopilot.asDocument().field(MAX_UNITS).asLong(), autopilot.asDocument())
        : fixed(
            content.field(UNITS).asLong(),
            level.type() == Type.STRING ? level.asString() : NO_LEVEL);
  }

  /** Parses and validates the content of an offer. */
  static Throughput of(Document content) {
    Value autopilot = content.field(AUTOPILOT);
    if (autopilot.isDocument()) {
      return autoscale(autopilot.asDocument());
    }
    Value fixed = content.field(UNITS);
    return fixed(fixed.isNumber() ? fixed.asLong() : 0);
  }

  private static Throughput fixed(long units, String level) {
    return new Throughput(units, false, Document.EMPTY, level);
  }

  private static Throughput scaling(long units, Document settings) {
    Value upgrade = settings.field(UPGRADE);
    return new Throughput(
        units, true, upgrade.isDocument() ? upgrade.asDocument() : Document.EMPTY, NO_LEVEL);
  }

  private static Throughput fixed(long units) {
    if (units < MIN || units > MAX || units % STEP != 0) {
      throw CosmosException.wrong(
          "The offer should have valid throughput values between 400 and 1000000 inclusive in"
              + " increments of 100.");
    }
    return fixed(units, NO_LEVEL);
  }

  private static Throughput autoscale(Document settings) {
    Value max = settings.field(MAX_UNITS);
    long units = max.isNumber() ? max.asLong() : 0;
    if (units < MIN_AUTOSCALE || units > MAX || units % AUTOSCALE_STEP != 0) {
      throw CosmosException.wrong(
          "The offer should have valid max throughput values between 1000 and 1000000 inclusive in"
              + " increments of 1000.");
    }
    return scaling(units, settings);
  }

  private static long number(String text) {
    try {
      return Long.parseLong(text.strip());
    } catch (NumberFormatException invalid) {
      return 0;
    }
  }

  /** Returns the limit for the engine. */
  double perSecond() {
    return (double) units;
  }

  boolean limited() {
    return units > 0;
  }

  /** Returns the minimum throughput. */
  long minimum() {
    long share = autoscale ? units / AUTOSCALE_RATIO : units / STEP;
    return Math.max(autoscale ? MIN_AUTOSCALE : MIN, share);
  }

  /** Returns the content of an offer. */
  Document content() {
    DocumentWriter writer =
        Document.writer().put(UNITS, autoscale ? units / AUTOSCALE_RATIO : units);
    if (autoscale) {
      writer.startDocument(AUTOPILOT).put(MAX_UNITS, units);
      if (!upgrade.isEmpty()) {
        writer.put(UPGRADE, upgrade);
      }
      writer.end();
    }
    return writer.put("offerIsRUPerMinuteThroughputEnabled", false).build();
  }
}
