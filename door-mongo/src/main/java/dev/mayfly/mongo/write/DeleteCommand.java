package dev.mayfly.mongo.write;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code delete}: removes the documents that match its filters. */
public final class DeleteCommand implements Command {
  private static final Set<String> FIELDS = Set.of("deletes", "ordered", "let");

  private final CollectionAccess access;
  private final DeleteStatements deleteStatements;

  public DeleteCommand(CollectionAccess access) {
    this.access = access;
    this.deleteStatements = new DeleteStatements(access);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    List<Document> statements = request.documents("deletes");
    BatchLimits.check(statements.size());
    StatementForm.checkDeletes(statements);
    access.checkChangeable(request.namespace());
    WriteConcern concern = WriteConcern.of(request, access.defaultDurability());
    boolean ordered = Statements.ordered(request);
    long deleted = 0;
    WriteErrors errors = new WriteErrors();
    for (int i = 0; i < statements.size() && (errors.isEmpty() || !ordered); i++) {
      try {
        deleted +=
            deleteStatements.execute(request, request.namespace(), statements.get(i), i, concern);
      } catch (RuntimeException failure) {
        errors.add(i, WriteErrors.of(failure));
      }
      request.check();
    }
    errors.abort(request, access);
    if (!concern.acknowledged()) {
      reply.put("n", 0);
      return;
    }
    reply.put("n", (int) deleted);
    errors.report(reply);
    concern.report(reply);
  }
}
