package dev.mayfly.mql.function;

import java.time.ZoneOffset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Abbreviations of timezones in date strings: PDT, CEST, military letters.
 *
 * <p>An abbreviation is an offset regardless of the day: EST is UTC-5 in summer, too. Ambiguous
 * names have their North American or European meaning.
 */
final class ZoneNames {
  private static final int MINUTES_PER_HOUR = 60;

  /** Minutes ahead of UTC. */
  private static final Map<String, Integer> MINUTES =
      Map.ofEntries(
          Map.entry("UTC", 0),
          Map.entry("GMT", 0),
          Map.entry("WET", 0),
          Map.entry("WEST", 60),
          Map.entry("BST", 60),
          Map.entry("CET", 60),
          Map.entry("CEST", 120),
          Map.entry("EET", 120),
          Map.entry("EEST", 180),
          Map.entry("MSK", 180),
          Map.entry("MSD", 240),
          Map.entry("SAST", 120),
          Map.entry("HKT", 480),
          Map.entry("AWST", 480),
          Map.entry("JST", 540),
          Map.entry("KST", 540),
          Map.entry("ACST", 570),
          Map.entry("ACDT", 630),
          Map.entry("AEST", 600),
          Map.entry("AEDT", 660),
          Map.entry("NZST", 720),
          Map.entry("NZDT", 780),
          Map.entry("NST", -210),
          Map.entry("NDT", -150),
          Map.entry("AST", -240),
          Map.entry("ADT", -180),
          Map.entry("EST", -300),
          Map.entry("EDT", -240),
          Map.entry("CST", -360),
          Map.entry("CDT", -300),
          Map.entry("MST", -420),
          Map.entry("MDT", -360),
          Map.entry("PST", -480),
          Map.entry("PDT", -420),
          Map.entry("AKST", -540),
          Map.entry("AKDT", -480),
          Map.entry("HST", -600));

  /** Military letters: east of Greenwich by the hour without J, then west, then Greenwich. */
  private static final String EAST = "ABCDEFGHIKLM";

  private static final String WEST = "NOPQRSTUVWXY";

  private ZoneNames() {}

  /** Returns the offset with this name, ignoring case. */
  static Optional<ZoneOffset> offset(String name) {
    String upper = name.toUpperCase(Locale.ROOT);
    return upper.length() == 1
        ? military(upper)
        : Optional.ofNullable(MINUTES.get(upper)).map(ZoneNames::ofMinutes);
  }

  private static Optional<ZoneOffset> military(String letter) {
    if (letter.equals("Z")) {
      return Optional.of(ZoneOffset.UTC);
    }
    int east = EAST.indexOf(letter) + 1;
    int west = WEST.indexOf(letter) + 1;
    return east + west == 0
        ? Optional.empty()
        : Optional.of(ofMinutes((east - west) * MINUTES_PER_HOUR));
  }

  private static ZoneOffset ofMinutes(int minutes) {
    return ZoneOffset.ofTotalSeconds(minutes * 60);
  }
}
