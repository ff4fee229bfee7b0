package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Forecast;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * {@code mayflyForecast}: counts the documents of a collection that will expire, by TTL rule.
 *
 * <p>{@code until} is a date; {@code within} is a number of seconds from now, or an array of them.
 * Without either, the horizons are a minute, an hour, a day and a week.
 */
public final class ForecastExpiryCommand implements Command {
  static final String DOCUMENTS = "documents";

  private final Namespaces namespaces;

  public ForecastExpiryCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("until", "within"));
    Namespace namespace = request.namespace();
    Collection collection =
        namespaces.collection(namespace, "ns does not exist: " + namespace).collection();
    long now = request.now();
    reply.put("ns", namespace.toString()).put("now", Value.date(now)).startArray("forecast");
    for (long until : instants(request, now)) {
      reply.startDocument().put("until", Value.date(until));
      collection.expiry(request.operation()).forecast(until).write(reply, DOCUMENTS);
      reply.end();
    }
    reply.end();
  }

  private static List<Long> instants(Request request, long now) {
    Value until = request.field("until");
    if (!until.isMissing()) {
      if (until.type() != Type.DATE) {
        throw new CommandException(ErrorCode.TYPE_MISMATCH, "'until' must be a date");
      }
      return List.of(until.asDate());
    }
    return within(request.field("within")).stream()
        .map(seconds -> Forecast.until(now, seconds))
        .toList();
  }

  private static List<Long> within(Value horizons) {
    if (horizons.isMissing()) {
      return Forecast.STANDARD_HORIZONS;
    }
    List<Long> seconds = new ArrayList<>();
    if (horizons.isArray()) {
      Fields elements = horizons.asDocument().fields();
      while (elements.next()) {
        seconds.add(seconds(elements.value()));
      }
    } else {
      seconds.add(seconds(horizons));
    }
    return seconds;
  }

  private static long seconds(Value value) {
    if (!value.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "'within' must be a number of seconds or an array of numbers");
    }
    return Math.clamp((long) value.asDouble(), 0, Integer.MAX_VALUE);
  }
}
