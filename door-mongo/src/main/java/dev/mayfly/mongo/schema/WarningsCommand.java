package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.ExpiryService;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Set;

/**
 * {@code mayflyWarnings}: returns documents that will expire within {@code withinSeconds}, each
 * once. {@code after} is the {@code next} of the previous reply.
 */
public final class WarningsCommand implements Command {
  private static final String WITHIN = "withinSeconds";
  private static final String LIMIT = "limit";
  private static final int STANDARD = 100;
  private static final long MILLIS = 1000;

  private final Namespaces namespaces;

  public WarningsCommand(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of(WITHIN, "after", LIMIT, "fullDocument"));
    Namespace namespace = request.namespace();
    Collection collection =
        namespaces.collection(namespace, "ns does not exist: " + namespace).collection();
    long within = bounded(WITHIN, request.requiredNumber(WITHIN), Integer.MAX_VALUE);
    long limit = request.number(LIMIT, STANDARD);
    int most = (int) bounded(LIMIT, limit, ExpiryService.MAX_WARNINGS);
    boolean whole = request.flag("fullDocument", false);
    Warnings warnings = read(collection, request, within * MILLIS, most);
    reply
        .put("ns", namespace.toString())
        .put("now", Value.date(request.now()))
        .startArray("documents");
    for (Soonest.Due due : warnings.documents()) {
      reply
          .startDocument()
          .put("_id", due.key().id())
          .put("deadline", Value.date(due.stored().deadline()))
          .put("rule", due.rule());
      if (whole) {
        reply.put("fullDocument", due.stored().document());
      }
      reply.end();
    }
    reply.end().put("next", warnings.next()).put("more", warnings.more());
  }

  private static Warnings read(
      Collection collection, Request request, long withinMillis, int most) {
    try {
      return collection
          .expiry(request.operation())
          .warnings(request.text("after", ""), withinMillis, most);
    } catch (EngineException failure) {
      throw failure.reason() == EngineException.Reason.BAD_HINT
          ? new CommandException(
              ErrorCode.BAD_VALUE, "'after' is not the 'next' of a reply of mayflyWarnings")
          : failure;
    }
  }

  private static long bounded(String field, long number, long most) {
    if (number < 1 || number > most) {
      throw CommandException.outOfBounds(field, ">= 1 and <= " + most, number);
    }
    return number;
  }
}
