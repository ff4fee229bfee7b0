package dev.mayfly.cli.doctor;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.Kind;
import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Secrets that must not be in a report. Removes those that this process knows, and texts that look
 * like a secret: passwords in URLs, keys of Cosmos DB, headers, options and private keys.
 */
final class Secrets {
  /** Replacement of a secret. */
  static final String REMOVED = "(removed)";

  /** Shorter values, such as {@code on}, are parts of words. */
  private static final int SHORTEST = 4;

  private static final Pattern SECRET_NAME =
      Pattern.compile("(?i)password|passwd|secret|token|credential|_key|-key|apikey|accountkey");

  /** Each with the part to keep as its first group. */
  private static final List<Pattern> SHAPES =
      List.of(
          Pattern.compile("(://[^\\s:/@]*:)[^\\s@/]+(?=@)"),
          Pattern.compile("(?i)(\\b(?:bearer|basic)\\s+)[^\\s\"',]+"),
          Pattern.compile(
              "(?i)((?:password|passwd|secret|token|credential|accountkey|apikey|cosmos-key)"
                  + "[\\w.-]*\"?\\s*[=:]\\s*)(?:\"[^\"]*\"|'[^']*'|[^\\s,;}]+)"),
          Pattern.compile("(?i)(--(?:[\\w-]*-)?(?:key|password|secret|token)\\s+)\\S+"),
          Pattern.compile("()(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{86}=="),
          Pattern.compile("()-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]*(?:-----END [A-Z ]*-----)?"));

  private final List<String> known;

  private Secrets(List<String> known) {
    this.known = known;
  }

  /**
   * Creates the list from what this process knows.
   *
   * @param others other secrets, such as the content of key files
   */
  static Secrets of(
      Configuration configuration, Map<String, String> environment, Stream<String> others) {
    Stream<String> settings =
        Settings.ALL.stream().filter(Secrets::isSecret).map(configuration::text);
    Stream<String> variables =
        environment.entrySet().stream()
            .filter(variable -> SECRET_NAME.matcher(variable.getKey()).find())
            .map(Map.Entry::getValue);
    return new Secrets(
        Stream.of(settings, variables, others)
            .flatMap(values -> values)
            .map(String::strip)
            .filter(value -> value.length() >= SHORTEST)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList());
  }

  static boolean isSecret(Setting setting) {
    return setting.kind() instanceof Kind.Secret;
  }

  /** Returns a text without secrets. */
  String removedFrom(String text) {
    String cleaned = text;
    for (String secret : known) {
      cleaned = cleaned.replace(secret, REMOVED);
    }
    for (Pattern shape : SHAPES) {
      cleaned = shape.matcher(cleaned).replaceAll("$1" + Matcher.quoteReplacement(REMOVED));
    }
    return cleaned;
  }
}
