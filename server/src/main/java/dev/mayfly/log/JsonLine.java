package dev.mayfly.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;

/**
 * Log format {@code json}: one object per line. A document in the message becomes a field of the
 * object.
 */
final class JsonLine extends Line {
  @Override
  String text(ILoggingEvent event) {
    DocumentWriter line =
        Document.writer()
            .put("time", time(event))
            .put("level", event.getLevel().toString())
            .put("logger", event.getLoggerName())
            .put("thread", event.getThreadName());
    String message = message(event);
    Document details = details(event);
    String text = details.toString();
    boolean repeated = !details.isEmpty() && message.endsWith(text);
    line.put(
        "message",
        repeated ? message.substring(0, message.length() - text.length()).strip() : message);
    if (!details.isEmpty()) {
      line.put("details", details);
    }
    String thrown = thrown(event);
    if (!thrown.isEmpty()) {
      line.put("thrown", thrown);
    }
    return Json.write(line.build()) + "\n";
  }

  private static Document details(ILoggingEvent event) {
    Object[] arguments = event.getArgumentArray();
    return arguments != null && arguments.length == 1 && arguments[0] instanceof Document document
        ? document
        : Document.EMPTY;
  }
}
