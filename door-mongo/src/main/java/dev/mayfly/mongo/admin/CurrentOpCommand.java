package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** {@code currentOp}: lists running operations. Further fields of the command are a filter. */
public final class CurrentOpCommand implements Command {
  private static final Set<String> OPTIONS = Set.of("$all", "$ownOps", "$truncateOps");

  private final Operations operations;
  private final Supplier<List<EngineMonitoring>> engines;

  /**
   * @param engines returns the monitoring of the engines of the server
   */
  public CurrentOpCommand(Operations operations, Supplier<List<EngineMonitoring>> engines) {
    this.operations = operations;
    this.engines = engines;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    Matcher wanted =
        FilterParser.parse(filter(request), CurrentOpCommand::computed, Collation.SIMPLE)
            .matcher(Mode.MATCH);
    Predicate<Client> whose = whose(request);
    reply.startArray("inprog");
    boolean idle = request.flag("$all", false);
    for (Document row : operations.rows(whose, idle, engines.get(), request.now())) {
      if (wanted.matches(row)) {
        reply.add(Value.of(row));
      }
    }
    reply.end();
    if (engines.get().stream().anyMatch(engine -> engine.writeLock().count() > 0)) {
      reply
          .put("fsyncLock", true)
          .put("info", "use db.fsyncUnlock() to terminate the fsync write/snapshot lock");
    }
  }

  private static Predicate<Client> whose(Request request) {
    return request.flag("$ownOps", false)
        ? client -> client.identity().equals(request.client().identity())
        : _ -> true;
  }

  private static DocumentPredicate computed(Value expression) {
    throw new CommandException(
        ErrorCode.NOT_IMPLEMENTED, "currentOp does not support $expr: use the stage $currentOp");
  }

  private static Document filter(Request request) {
    DocumentWriter filter = Document.writer();
    Fields fields = request.body().fields();
    fields.next();
    while (fields.next()) {
      if (!OPTIONS.contains(fields.name()) && !Request.generic(fields.name())) {
        filter.put(fields);
      }
    }
    return filter.build();
  }
}
