package dev.mayfly.mongo.write;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code insert}: inserts documents, ordered or unordered. */
public final class InsertCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "documents",
          "ordered",
          "bypassDocumentValidation",
          Inserter.KEEP_EMPTY_TIMESTAMPS,
          "encryptionInformation");

  private final CollectionAccess access;
  private final Inserter inserter;

  public InsertCommand(CollectionAccess access, ObjectIds ids) {
    this.access = access;
    this.inserter = new Inserter(ids);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    List<Document> documents = request.documents("documents");
    BatchLimits.check(documents.size());
    WriteConcern concern = WriteConcern.of(request, access.defaultDurability());
    CollectionOperations target =
        access.created(request, request.namespace(), concern.durability());
    WriteErrors errors = new WriteErrors();
    int inserted =
        inserter.insertAll(request, target, documents, Statements.ordered(request), errors);
    errors.abort(request, access);
    if (!concern.acknowledged()) {
      reply.put("n", 0);
      return;
    }
    reply.put("n", inserted);
    errors.report(reply);
    concern.report(reply);
  }
}
