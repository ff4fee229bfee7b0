package dev.mayfly.mongo.write;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** {@code update}: changes documents by update operators, replacement or pipeline. */
public final class UpdateCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "updates",
          "ordered",
          "bypassDocumentValidation",
          Inserter.KEEP_EMPTY_TIMESTAMPS,
          "let",
          "isTimeseriesNamespace");

  private final CollectionAccess access;
  private final UpdateStatements updateStatements;

  public UpdateCommand(CollectionAccess access, ObjectIds ids) {
    this.access = access;
    this.updateStatements = new UpdateStatements(access, ids);
  }

  /** The id of an upserted document and the index of its statement. */
  private record Upserted(int index, Value id) {}

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    List<Document> statements = request.documents("updates");
    BatchLimits.check(statements.size());
    StatementForm.checkUpdates(statements);
    access.checkChangeable(request.namespace());
    WriteConcern concern = WriteConcern.of(request, access.defaultDurability());
    boolean ordered = Statements.ordered(request);
    long matched = 0;
    long modified = 0;
    List<Upserted> upserted = new ArrayList<>();
    WriteErrors errors = new WriteErrors();
    for (int i = 0; i < statements.size() && (errors.isEmpty() || !ordered); i++) {
      try {
        Updater.Result result =
            updateStatements.execute(request, request.namespace(), statements.get(i), i, concern);
        matched += result.matched();
        modified += result.modified();
        if (!result.upserted().isMissing()) {
          matched++;
          upserted.add(new Upserted(i, result.upserted()));
        }
      } catch (RuntimeException failure) {
        errors.add(i, WriteErrors.of(failure));
      }
      request.check();
    }
    errors.abort(request, access);
    if (!concern.acknowledged()) {
      reply.put("n", 0).put("nModified", 0);
      return;
    }
    reply.put("n", (int) matched).put("nModified", (int) modified);
    report(upserted, reply);
    errors.report(reply);
    concern.report(reply);
  }

  private static void report(List<Upserted> upserted, DocumentWriter reply) {
    if (upserted.isEmpty()) {
      return;
    }
    reply.startArray("upserted");
    for (Upserted one : upserted) {
      reply.startDocument().put("index", one.index()).put("_id", one.id()).end();
    }
    reply.end();
  }
}
