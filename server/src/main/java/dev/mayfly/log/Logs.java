package dev.mayfly.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.encoder.Encoder;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.slf4j.LoggerFactory;

/** Configures Logback for the process. */
public final class Logs {
  private static final String OURS = "dev.mayfly";

  private Logs() {}

  /** Format of the log. */
  public enum Format {
    /** Plain text. */
    TEXT,
    /** One JSON object per line. */
    JSON
  }

  /**
   * Logs to a stream from now on: messages of Mayfly from a level upwards, of libraries only
   * warnings and errors.
   *
   * @param level error, warn, info, debug or trace
   */
  public static void to(OutputStream out, Format format, String level) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    // without a configuration file Logback logs everything to standard output
    context.reset();
    context
        .getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)
        .addAppender(appender(context, out, format));
    context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.WARN);
    context.getLogger(OURS).setLevel(Level.toLevel(level));
  }

  /** A stream that this package does not close. */
  private static final class Unclosable extends FilterOutputStream {
    Unclosable(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
    }

    @Override
    public void close() throws IOException {
      flush();
    }
  }

  private static OutputStreamAppender<ILoggingEvent> appender(
      LoggerContext context, OutputStream out, Format format) {
    Encoder<ILoggingEvent> encoder =
        switch (format) {
          case TEXT -> new TextLine();
          case JSON -> new JsonLine();
        };
    encoder.setContext(context);
    encoder.start();
    OutputStreamAppender<ILoggingEvent> appender = new OutputStreamAppender<>();
    appender.setContext(context);
    appender.setEncoder(encoder);
    appender.setOutputStream(new Unclosable(out));
    appender.start();
    return appender;
  }
}
