package dev.mayfly.mongo.source;

import dev.mayfly.mongo.access.ServerStages;
import dev.mayfly.mongo.admin.EngineMonitoring;
import dev.mayfly.mongo.admin.Operations;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/** {@code $currentOp}: one row for each running operation. */
final class CurrentOperations implements ServerStages.Source {
  private static final Set<String> FIELDS =
      Set.of(
          "allUsers",
          "idleConnections",
          "idleCursors",
          "idleSessions",
          "localOps",
          "backtrace",
          "truncateOps",
          "targetAllNodes");

  private final Operations operations;
  private final EngineMonitoring engine;

  CurrentOperations(Operations operations, EngineMonitoring engine) {
    this.operations = operations;
    this.engine = engine;
  }

  @Override
  public Rows rows(Request request, Target target, Document specification) {
    Section section = new Section("$currentOp", specification).allow(FIELDS);
    if (!target.database().equals("admin") || request.target().type() == Type.STRING) {
      throw new CommandException(
          ErrorCode.INVALID_NAMESPACE,
          "$currentOp must be run against the 'admin' database with {aggregate: 1}");
    }
    Predicate<Client> whose =
        section.flag("allUsers")
            ? _ -> true
            : client -> client.identity().equals(request.client().identity());
    return Rows.of(
        operations.rows(whose, section.flag("idleConnections"), List.of(engine), request.now()));
  }
}
