package dev.mayfly.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Layout of a log event: one line, and the stack trace if there is one. */
abstract class Line extends EncoderBase<ILoggingEvent> {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
  private static final byte[] NO_BYTES = {};

  /** Prefix of Mayfly's logger names. */
  static final String OURS = "dev.mayfly.";

  /** The line with its terminator. */
  abstract String text(ILoggingEvent event);

  @Override
  public final byte[] encode(ILoggingEvent event) {
    return text(event).getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The message. Messages of {@link System.Logger}, which Mayfly uses, are already formatted:
   * formatting them again would replace every pair of braces in the text.
   */
  static String message(ILoggingEvent event) {
    return event.getLoggerName().startsWith(OURS)
        ? event.getMessage()
        : event.getFormattedMessage();
  }

  static String time(ILoggingEvent event) {
    return TIME.format(Instant.ofEpochMilli(event.getTimeStamp()));
  }

  /** The stack trace; empty without an exception. */
  static String thrown(ILoggingEvent event) {
    IThrowableProxy thrown = event.getThrowableProxy();
    return thrown == null ? "" : ThrowableProxyUtil.asString(thrown);
  }

  @Override
  public final byte[] headerBytes() {
    return NO_BYTES;
  }

  @Override
  public final byte[] footerBytes() {
    return NO_BYTES;
  }
}
