package dev.mayfly.admin.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Patterns of requests such as {@code POST /collections/*}{@code /*}{@code /save}. */
final class Patterns {
  private static final String ANY = "*";

  private Patterns() {}

  /** Returns the decoded segments of a path. */
  static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    for (String part : path.substring(1).split("/", -1)) {
      try {
        segments.add(URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8));
      } catch (IllegalArgumentException invalid) {
        throw Refusal.wrong("The path must be URL-encoded (%41), unlike '" + part + "'.");
      }
    }
    return segments;
  }

  static boolean fits(String pattern, String method, List<String> segments) {
    String[] parts = pattern.split("[ /]+", -1);
    boolean fits = parts.length == segments.size() + 1 && parts[0].equals(method);
    for (int i = 0; fits && i < segments.size(); i++) {
      fits = parts[i + 1].equals(ANY) || parts[i + 1].equals(segments.get(i));
    }
    return fits;
  }

  /** Returns the segments that the wildcards of a pattern stand for. */
  static List<String> wildcards(String pattern, List<String> segments) {
    String[] parts = pattern.split("[ /]+", -1);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      if (parts[i + 1].equals(ANY)) {
        names.add(segments.get(i));
      }
    }
    return names;
  }
}
