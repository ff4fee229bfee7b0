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

/**
 * Inserts documents in groups, which are small so that other writers of the shard do not wait long.
 * Safe for many threads.
 */
final class Inserter {
  private static final int GROUP_DOCUMENTS = 1000;
  private static final int GROUP_BYTES = 4 << 20;

  private final NewDocument form;

  Inserter(ObjectIds ids) {
    this.form = new NewDocument(ids);
  }

  /** The document in the form in which it is stored. */
  Document prepared(Request request, Document given) {
    return form.of(given, request.now(), keepEmptyTimestamps(request));
  }

  /** A replacement document in the form in which it is stored. */
  Document replacing(Request request, Document given) {
    return keepEmptyTimestamps(request) ? given : form.replacing(given, request.now());
  }

  private static boolean keepEmptyTimestamps(Request request) {
    return request.flag(NewDocument.KEEP_EMPTY_TIMESTAMPS, false);
  }

  /** Inserts all documents, if ordered up to the first error; returns the inserted count. */
  int insertAll(
      Request request,
      CollectionOperations target,
      List<Document> documents,
      boolean ordered,
      WriteErrors errors) {
    int inserted = 0;
    int next = 0;
    while (next < documents.size() && (errors.isEmpty() || !ordered)) {
      List<Write> group = new ArrayList<>();
      List<Integer> indexes = new ArrayList<>();
      next = prepareGroup(request, target, documents, next, ordered, group, indexes, errors);
      inserted += write(target, group, indexes, ordered, errors);
      request.check();
    }
    return inserted;
  }

  /** Inserts one document as the statement of this number. */
  void insertOne(
      Request request,
      CollectionOperations target,
      Document document,
      int statement,
      WriteErrors errors) {
    Document prepared = prepared(request, document);
    target.validator().checkInsert(prepared);
    write(target, List.of(new Write.Insert(prepared)), List.of(statement), true, errors);
  }

  private int prepareGroup(
      Request request,
      CollectionOperations target,
      List<Document> documents,
      int from,
      boolean ordered,
      List<Write> group,
      List<Integer> indexes,
      WriteErrors errors) {
    boolean keepEmptyTimestamps = keepEmptyTimestamps(request);
    int next = from;
    long bytes = 0;
    while (next < documents.size() && group.size() < GROUP_DOCUMENTS && bytes < GROUP_BYTES) {
      try {
        Document document = form.of(documents.get(next), request.now(), keepEmptyTimestamps);
        target.validator().checkInsert(document);
        bytes += document.length();
        group.add(new Write.Insert(document));
        indexes.add(next);
      } catch (CommandException failure) {
        errors.add(next, failure);
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
      List<Integer> indexes,
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
            new Statement(indexes.getFirst()));
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof WriteOutcome.Failed(EngineException failure)) {
        errors.add(
            indexes.get(i),
            WriteErrors.of(DuplicateKey.translate(failure, target.namespace(), target.spec())));
      } else if (outcomes.get(i) instanceof WriteOutcome.Inserted
          || outcomes.get(i) instanceof WriteOutcome.Repeated) {
        inserted++;
      }
    }
    return inserted;
  }
}
