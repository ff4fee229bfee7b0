package dev.mayfly.cli;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.Settings;
import dev.mayfly.log.Logs;
import java.util.Locale;

/**
 * Configures the log of the process: to standard error, as set by the settings. Does nothing if the
 * operator has configured Logback by a file.
 */
final class Logging {
  private static final String CONFIGURATION_FILE = "logback.configurationFile";

  private Logging() {}

  /**
   * Logs warnings only: until the settings are known, and for commands other than {@code serve}.
   */
  static void warningsOnly() {
    to(Logs.Format.TEXT, "warn");
  }

  static void configure(Configuration configuration) {
    String format = configuration.text(Settings.LOG_FORMAT).toUpperCase(Locale.ROOT);
    to(Logs.Format.valueOf(format), configuration.text(Settings.LOG_LEVEL));
  }

  private static void to(Logs.Format format, String level) {
    if (System.getProperty(CONFIGURATION_FILE) == null) {
      Logs.to(System.err, format, level);
    }
  }
}
