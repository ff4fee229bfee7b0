package dev.mayfly.mongo.access;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import java.util.Map;

/** The stages that tell something about the server instead of reading documents, by their names. */
public final class ServerStages {
  private final Map<String, Source> known;

  public ServerStages(Map<String, Source> known) {
    this.known = Map.copyOf(known);
  }

  /** One such stage. */
  @FunctionalInterface
  public interface Source {
    /** What it tells of a collection, or of the server when the pipeline has no collection. */
    Rows rows(Request request, Target target, Document specification);
  }

  Rows rows(Request request, Target target, Stage.Source stage) {
    Source source = known.get(stage.name());
    if (source == null) {
      throw new CommandException(ErrorCode.NOT_IMPLEMENTED, stage.name() + " is not supported");
    }
    return source.rows(request, target, stage.specification());
  }
}
