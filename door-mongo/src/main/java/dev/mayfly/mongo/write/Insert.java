package dev.mayfly.mongo.write;

import dev.mayfly.mongo.access.Documents;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.Targets;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Set;

/** {@code insert}: adds documents, in their order or each for itself. */
public final class Insert implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "documents",
          "ordered",
          "bypassDocumentValidation",
          NewDocument.AS_GIVEN,
          "encryptionInformation");

  private final Targets targets;
  private final Inserting inserting;

  public Insert(Targets targets, ObjectIds ids) {
    this.targets = targets;
    this.inserting = new Inserting(ids);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    List<Document> documents = request.documents("documents");
    Batches.check(documents.size());
    WriteConcern concern = WriteConcern.of(request, targets.standard());
    Documents target = targets.created(request, request.namespace(), concern.durability());
    WriteErrors errors = new WriteErrors();
    int inserted =
        inserting.all(
            request, target, documents, targets.now(), Statements.ordered(request), errors);
    errors.abort(request, targets);
    if (!concern.acknowledged()) {
      reply.put("n", 0);
      return;
    }
    reply.put("n", inserted);
    errors.report(reply);
    concern.report(reply);
  }
}
