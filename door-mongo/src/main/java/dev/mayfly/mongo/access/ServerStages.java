package dev.mayfly.mongo.access;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.Map;

/**
 * Pipeline stages that report server state instead of reading documents, such as {@code
 * $currentOp}.
 */
public final class ServerStages {
  private final Map<String, Source> byName;

  /** The stages by their names. */
  public ServerStages(Map<String, Source> byName) {
    this.byName = Map.copyOf(byName);
  }

  /** Implementation of one such stage. */
  @FunctionalInterface
  public interface Source {
    /** The rows for a collection, or for the server if the pipeline has no collection. */
    Rows rows(Request request, Target target, Document specification);
  }

  Rows rows(Request request, Target target, Stage.Source stage) {
    Source source = byName.get(stage.name());
    if (source == null) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, stage.name() + " is not supported");
    }
    return source.rows(request, target, stage.specification());
  }
}
