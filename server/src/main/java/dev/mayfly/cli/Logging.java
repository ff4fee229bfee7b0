package dev.mayfly.cli;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.Settings;
import dev.mayfly.log.Logs;
import java.util.Locale;

/**
 * Where and how this process logs: to standard error, as the settings say. An operator who has
 * given Logback a file of his own has chosen for himself.
 */
final class Logging {
  private static final String OWN_FILE = "logback.configurationFile";

  private Logging() {}

  /** Until settings are known, and for commands other than a server: what is alarming. */
  static void begin() {
    to(Logs.Format.TEXT, "warn");
  }

  static void as(Configuration configuration) {
    String format = configuration.text(Settings.LOG_FORMAT).toUpperCase(Locale.ROOT);
    to(Logs.Format.valueOf(format), configuration.text(Settings.LOG_LEVEL));
  }

  private static void to(Logs.Format format, String level) {
    if (System.getProperty(OWN_FILE) == null) {
      Logs.to(System.err, format, level);
    }
  }
}
