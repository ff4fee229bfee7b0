package dev.mayfly.admin;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/** The rules of a collection in sentences, by name. Stateless. */
final class RuleSentences {
  private static final long MINUTE = 60;
  private static final long HOUR = 60 * MINUTE;
  private static final long DAY = 24 * HOUR;

  private RuleSentences() {}

  static Map<String, String> of(CollectionSpec spec) {
    TimeToLive ttl = spec.timeToLive();
    Map<String, String> sentences = new LinkedHashMap<>();
    String start =
        ttl.property().isEmpty()
            ? ttl.slides("default") ? "their last read or write" : "their last write"
            : "the time in `"
                + ttl.property()
                + "`"
                + (ttl.propertyFormat() == TimeFormat.SECONDS
                    ? ""
                    : " (" + ttl.propertyFormat().code() + ")")
                + orLastUse(ttl, "default");
    if (ttl.hasDefault()) {
      if (ttl.defaultSeconds() > 0) {
        sentences.put(
            "default",
            "Documents without a `ttl` expire "
                + span(ttl.defaultSeconds())
                + " after "
                + start
                + ".");
      }
      sentences.put("own", "Documents with a `ttl` expire that many seconds after " + start + ".");
    }
    if (ttl.idSeconds() != TimeToLive.OFF) {
      sentences.put(
          "id",
          "Documents expire "
              + since(ttl.idSeconds(), ttl.idFormat())
              + " in their id"
              + orLastUse(ttl, "id")
              + ".");
    }
    new TreeMap<>(ttl.indexes())
        .forEach(
            (name, seconds) ->
                spec.indexes().stream()
                    .filter(index -> index.name().equals(name))
                    .findFirst()
                    .ifPresent(
                        index -> sentences.put("index:" + name, sentence(index, seconds, ttl))));
    return sentences;
  }

  private static String orLastUse(TimeToLive ttl, String rule) {
    return ttl.slides(rule) ? " or their last read or write, whichever is later" : "";
  }

  private static String sentence(IndexSpec index, long seconds, TimeToLive ttl) {
    String which =
        index.partial().equals(Filter.all())
            ? "Documents"
            : "Documents that match the filter of the index";
    return which
        + " expire "
        + since(seconds, ttl.indexFormat(index.name()))
        + " in `"
        + index.parts().getFirst().path()
        + "`"
        + orLastUse(ttl, "index:" + index.name())
        + ".";
  }

  private static String since(long seconds, TimeFormat format) {
    String time = format == TimeFormat.DATE ? "the date" : "the time (" + format.code() + ")";
    return seconds == 0 ? "at " + time : span(seconds) + " after " + time;
  }

  /** A number of seconds in the largest unit without a fraction. */
  static String span(long seconds) {
    if (seconds != 0 && seconds % DAY == 0) {
      return counted(seconds / DAY, "day");
    }
    if (seconds != 0 && seconds % HOUR == 0) {
      return counted(seconds / HOUR, "hour");
    }
    return seconds != 0 && seconds % MINUTE == 0
        ? counted(seconds / MINUTE, "minute")
        : counted(seconds, "second");
  }

  private static String counted(long number, String unit) {
    return number + " " + unit + (number == 1 ? "" : "s");
  }
}
