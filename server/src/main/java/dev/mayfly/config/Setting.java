package dev.mayfly.config;

import java.util.Locale;

/**
 * A setting: one name for the option, the environment variable and the line in the file.
 *
 * @param name words joined by hyphens, as in the file
 * @param standard default value, as a user would write it
 * @param text description: one sentence without a full stop
 */
public record Setting(String name, Kind kind, String standard, String text) {
  public Setting {
    if (!standard.isEmpty()) {
      kind.problem(standard)
          .ifPresent(
              problem -> {
                throw new IllegalArgumentException(name + " " + problem);
              });
    }
  }

  /** Name on the command line. */
  public String option() {
    return "--" + name;
  }

  /** Name in the environment. */
  public String variable() {
    return "MAYFLY_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
