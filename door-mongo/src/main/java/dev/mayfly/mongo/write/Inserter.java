package dev.mayfly.mongo.write;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.Statement;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;

/** Inserts documents in groups that are small enough not to keep others waiting. */
final class Inserter {
  private static final int GROUP_DOCUMENTS = 1000;
  private static final int GROUP_BYTES = 4 << 20;

  private final NewDocument form;

  Inserter(ObjectIds ids) {
    this.form = new NewDocument(ids);
  }

  /** The document as it will be stored. */
  Document prepared(Request request, Document given) {
    return form.of(given, request.now(), asGiven(request));
  }

  /** The document as it will take the place of another one. */
  Document replacing(Request request, Document given) {
    return asGiven(request) ? given : form.replacing(given, request.now());
  }

  private static boolean asGiven(Request request) {
    return request.flag(NewDocument.AS_GIVEN, false);
  }

  /** Inserts all, or as far as the first that is refused when they are ordered. */
  int all(
      Request request,
      CollectionOperations target,
      List<Document> documents,
      boolean ordered,
      WriteErrors errors) {
    int inserted = 0;
    int next = 0;
    while (next < documents.size() && (errors.isEmpty() || !ordered)) {
      List<Write> group = new ArrayList<>();
      List<Integer> places = new ArrayList<>();
      next = gather(request, target, documents, next, ordered, group, places, errors);
      inserted += write(target, group, places, ordered, errors);
      request.check();
    }
    return inserted;
  }

  /** Inserts one document for a statement. */
  void one(
      Request request,
      CollectionOperations target,
      Document document,
      int statement,
      WriteErrors errors) {
    Document prepared = prepared(request, document);
    target.validator().checkInsert(prepared);
    write(target, List.of(new Write.Insert(prepared)), List.of(statement), true, errors);
  }

  private int gather(
      Request request,
      CollectionOperations target,
      List<Document> documents,
      int from,
      boolean ordered,
      List<Write> group,
      List<Integer> places,
      WriteErrors errors) {
    boolean asGiven = asGiven(request);
    int next = from;
    long bytes = 0;
    while (next < documents.size() && group.size() < GROUP_DOCUMENTS && bytes < GROUP_BYTES) {
      try {
        Document document = form.of(documents.get(next), request.now(), asGiven);
        target.validator().checkInsert(document);
        bytes += document.length();
        group.add(new Write.Insert(document));
        places.add(next);
      } catch (CommandException refused) {
        errors.add(next, refused);
        if (ordered) {
          return next + 1;
        }
      }
      next++;
    }
    return next;
  }

  private static int write(
      CollectionOperations target,
      List<Write> group,
      List<Integer> places,
      boolean ordered,
      WriteErrors errors) {
    if (group.isEmpty()) {
      return 0;
    }
    int inserted = 0;
    List<WriteOutcome> outcomes =
        target.write(
            group,
            ordered ? Grouping.ORDERED : Grouping.UNORDERED,
            new Statement(places.getFirst()));
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof WriteOutcome.Failed(EngineException failure)) {
        errors.add(
            places.get(i),
            WriteErrors.of(DuplicateKey.translate(failure, target.namespace(), target.spec())));
      } else if (outcomes.get(i) instanceof WriteOutcome.Inserted
          || outcomes.get(i) instanceof WriteOutcome.Repeated) {
        inserted++;
      }
    }
    return inserted;
  }
}
