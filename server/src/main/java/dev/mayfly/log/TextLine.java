package dev.mayfly.log;

import ch.qos.logback.classic.spi.ILoggingEvent;

/** When, how grave, which room, what. */
final class TextLine extends Line {
  @Override
  String text(ILoggingEvent event) {
    return "%s %-5s %s: %s%n%s"
        .formatted(
            time(event),
            event.getLevel(),
            room(event.getLoggerName()),
            message(event),
            thrown(event));
  }

  /** Of our own loggers the room, as in {@code mongo}; of others the whole name. */
  private static String room(String logger) {
    if (!logger.startsWith(OURS)) {
      return logger;
    }
    String inside = logger.substring(OURS.length());
    int dot = inside.indexOf('.');
    return dot < 0 ? "mayfly" : inside.substring(0, dot);
  }
}
