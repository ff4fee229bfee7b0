package dev.mayfly.config;

import java.util.Locale;

/**
 * One thing that can be set, under one name everywhere.
 *
 * @param name words joined by hyphens, as in the file
 * @param standard what it is when nobody sets it, in the form that a user would write
 * @param text what it does, in one sentence without its full stop
 */
public record Setting(String name, Kind kind, String standard, String text) {
  public Setting {
    if (!standard.isEmpty()) {
      kind.complaint(standard)
          .ifPresent(
              complaint -> {
                throw new IllegalArgumentException(name + " " + complaint);
              });
    }
  }

  /** Its name on the command line. */
  public String option() {
    return "--" + name;
  }

  /** Its name in the environment. */
  public String variable() {
    return "MAYFLY_" + name.replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
