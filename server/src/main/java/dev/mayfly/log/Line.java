package dev.mayfly.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** What is logged as one line, or a few where something is thrown. */
abstract class Line extends EncoderBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final byte[] NOTHING = {};

  /** What the names of our own loggers begin with. */
  static final String OURS = "dev.mayfly.";

  /** The line, with its end. */
  abstract String text(ILoggingEvent event);

  @Override
  public final byte[] encode(ILoggingEvent event) {
    return text(event).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * What is said. What comes through {@link System.Logger}, as all of ours does, is complete: to
   * fill in its parameters once more would put them into every pair of braces in its text.
   */
  static String message(ILoggingEvent event) {
    return event.getLoggerName().startsWith(OURS)
        ? event.getMessage()
        : event.getFormattedMessage();
  }

  static String time(ILoggingEvent event) {
    return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
  }

  /** What was thrown, with where it came from; empty when nothing was. */
  static String thrown(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    return thrown == null ? "" : ThrowableProxyUtil.asString(thrown);
  }

  @Override
  public final byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public final byte[] footerBytes() {
    return NOTHING;
  }
}
