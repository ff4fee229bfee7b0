package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.Locale;
import java.util.StringJoiner;

/** Formats and parses sizes, counts and time spans. */
final class Amounts {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;
  private static final int UNIT = 1024;
  private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};

  private Amounts() {}

  static String bytes(long bytes) {
    double amount = bytes;
    int unit = 0;
    while (amount >= UNIT && unit < UNITS.length - 1) {
      amount /= UNIT;
      unit++;
    }
    return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }

  static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** Formats seconds in the largest unit without a fraction. */
  static String span(long seconds) {
    if (seconds != 0 && seconds % DAY == 0) {
      return seconds / DAY + "d";
    }
    if (seconds != 0 && seconds % HOUR == 0) {
      return seconds / HOUR + "h";
    }
    return seconds != 0 && seconds % MINUTE == 0 ? seconds / MINUTE + "m" : seconds + "s";
  }

  /**
   * Parses a time span such as 90s, 30m, 12h, 7d, or a number of seconds.
   *
   * @throws CommandFailure when it is not a time span
   */
  static long seconds(String span) {
    try {
      int last = span.length() - 1;
      long unit =
          switch (span.isEmpty() ? ' ' : span.charAt(last)) {
            case 's' -> 1;
            case 'm' -> MINUTE;
            case 'h' -> HOUR;
            case 'd' -> DAY;
            default -> 0;
          };
      return unit == 0
          ? Long.parseLong(span)
          : Math.multiplyExact(Long.parseLong(span.substring(0, last)), unit);
    } catch (NumberFormatException | ArithmeticException invalid) {
      throw CommandFailure.usage(
          "A time span must be 90s, 30m, 12h, 7d or a number of seconds, not '" + span + "'.");
    }
  }

  /** Summary of the TTL rules of a collection. */
  static String rules(Document rules) {
    StringJoiner parts = new StringJoiner(", ");
    Fields fields = rules.fields();
    while (fields.next()) {
      switch (fields.name()) {
        case "default" ->
            parts.add(
                fields.value().asLong() < 0
                    ? "own ttl only"
                    : span(fields.value().asLong())
                        + " since "
                        + (rules.field("property").isMissing()
                            ? slides(rules, "default") ? "last read or write" : "last write"
                            : rules.field("property").asString()
                                + format(rules.field("propertyFormat"))
                                + sliding(rules, "default")));
        case "id" ->
            parts.add(
                span(fields.value().asLong())
                    + " since _id"
                    + format(rules.field("idFormat"))
                    + sliding(rules, "id"));
        case "indexes" -> {
          Fields indexes = fields.value().asDocument().fields();
          while (indexes.next()) {
            Value formats = rules.field("indexFormats");
            parts.add(
                span(indexes.value().asLong())
                    + " by index "
                    + indexes.name()
                    + (formats.isMissing()
                        ? ""
                        : format(formats.asDocument().field(indexes.name())))
                    + sliding(rules, "index:" + indexes.name()));
          }
        }
        case "graceSeconds" -> {
          if (fields.value().asLong() > 0) {
            parts.add("grace " + span(fields.value().asLong()));
          }
        }
        default -> {}
      }
    }
    return parts.length() == 0 ? "none" : parts.toString();
  }

  private static boolean slides(Document rules, String rule) {
    Value sliding = rules.field("sliding");
    return !sliding.isMissing() && !sliding.asDocument().field(rule).isMissing();
  }

  private static String sliding(Document rules, String rule) {
    return slides(rules, rule) ? " or last read or write" : "";
  }

  /** Summary of the parents that documents follow. */
  static String expiresWith(Document with) {
    return "documents expire with their parents in "
        + with.field("collection").asString()
        + ", by "
        + with.field("field").asString()
        + (with.field("deleted").asBoolean() ? "; they follow a delete, too." : ".");
  }

  /** Summary of the limits of a bounded collection. */
  static String limit(Document limit) {
    StringJoiner parts = new StringJoiner(" and ");
    if (!limit.field("maxDocuments").isMissing()) {
      parts.add(count(limit.field("maxDocuments").asLong()) + " documents");
    }
    if (!limit.field("maxBytes").isMissing()) {
      parts.add(bytes(limit.field("maxBytes").asLong()));
    }
    return parts + "; writes beyond it evict the documents that expire first.";
  }

  private static String format(Value name) {
    return name.isMissing() ? "" : " (" + name.asString() + ")";
  }
}
