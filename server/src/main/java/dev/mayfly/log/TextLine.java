package dev.mayfly.log;

import ch.qos.logback.classic.spi.ILoggingEvent;

/** Log format {@code text}: time, level, area, message. */
final class TextLine extends Line {
  @Override
  String text(ILoggingEvent event) {
    return "%s %-5s %s: %s%n%s"
        .formatted(
            time(event),
            event.getLevel(),
            area(event.getLoggerName()),
            message(event),
            thrown(event));
  }

  /** For Mayfly's loggers the package, such as {@code mongo}; for others the full name. */
  private static String area(String logger) {
    if (!logger.startsWith(OURS)) {
      return logger;
    }
    String inside = logger.substring(OURS.length());
    int dot = inside.indexOf('.');
    return dot < 0 ? "mayfly" : inside.substring(0, dot);
  }
}
