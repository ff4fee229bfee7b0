package dev.mayfly.mongo.write;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mongo.access.Ids;
import dev.mayfly.mongo.access.Statement;
import dev.mayfly.mongo.command.ReplyMemory;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes one delete statement: deletes documents only if they match its filter at that moment.
 * For one thread.
 */
final class Deleter {
  private static final int GROUP = 500;

  private final Request request;
  private final CollectionOperations target;
  private final Statement statement;
  private final boolean returnsDocument;

  /**
   * A delete statement.
   *
   * @param number of the statement in its command
   * @param returnsDocument whether the reply contains the deleted document; a retry returns it
   *     again
   */
  Deleter(Request request, CollectionOperations target, int number, boolean returnsDocument) {
    this.request = request;
    this.target = target;
    this.returnsDocument = returnsDocument;
    this.statement =
        new Statement(
            number,
            outcome ->
                returnsDocument && outcome instanceof WriteOutcome.Deleted(Document before)
                    ? before
                    : Document.EMPTY);
  }

  /** Deletes the first document of a query and returns it; a retry may return an empty one. */
  Optional<Document> deleteOne(Query query) {
    if (Ids.only(query).isEmpty()) {
      // a write by id checks for a retry itself
      Optional<WriteOutcome.Repeated> before = target.receipt(statement);
      if (before.isPresent()) {
        return before.map(WriteOutcome.Repeated::reply);
      }
    }
    return deleteFirst(query);
  }

  /**
   * Deletes the document of a query by id if it has a version. Returns false if there is no such
   * document.
   *
   * @throws CommandException if it has another version
   */
  boolean deleteVersion(Query query, long version) {
    Value id =
        Ids.only(query)
            .orElseThrow(
                () ->
                    new CommandException(
                        ErrorCode.BAD_VALUE,
                        StatementForm.IF_VERSION + " requires a filter by _id alone"));
    WriteOutcome outcome = target.write(new Write.Delete(DocumentKey.of(id), version), statement);
    if (outcome instanceof WriteOutcome.Failed(EngineException failure)
        && failure.reason() != Reason.NOT_FOUND) {
      throw failure.reason() == Reason.VERSION_MISMATCH ? Statements.otherVersion() : failure;
    }
    return !(outcome instanceof WriteOutcome.Failed);
  }

  private Optional<Document> deleteFirst(Query query) {
    Optional<Value> id = Ids.only(query);
    if (id.isPresent()) {
      if (returnsDocument && request.client().replyMemory().isScarce()) {
        awaitMemory(target.read(id.get()).map(Document::length).orElse(0));
      }
      return tryDelete(new Write.Delete(DocumentKey.of(id.get())));
    }
    while (true) {
      Write.Delete delete;
      int length;
      try (FoundRows found = target.query(query.limitedTo(1).withoutTouch())) {
        if (!found.next()) {
          return Optional.empty();
        }
        delete = new Write.Delete(Ids.key(found.current()), found.version());
        length = found.current().length();
      }
      awaitMemory(length);
      Optional<Document> deleted = tryDelete(delete);
      if (deleted.isPresent()) {
        return deleted;
      }
      request.check();
    }
  }

  /** Waits for memory for the reply with a document, before that document is deleted. */
  private void awaitMemory(int length) {
    if (returnsDocument) {
      ReplyMemory.await(request, length);
    }
  }

  private Optional<Document> tryDelete(Write.Delete delete) {
    WriteOutcome outcome = target.write(delete, statement);
    if (outcome instanceof WriteOutcome.Deleted(Document before)) {
      return Optional.of(before);
    }
    if (outcome instanceof WriteOutcome.Repeated repeated) {
      return Optional.of(repeated.reply());
    }
    if (outcome instanceof WriteOutcome.Failed(EngineException failure) && !overtaken(failure)) {
      throw failure;
    }
    return Optional.empty();
  }

  /** Deletes all documents of a query and returns their number. */
  long deleteMany(Query query) {
    long deleted = 0;
    List<Document> overtaken = new ArrayList<>();
    try (FoundRows found = target.query(query.withoutTouch())) {
      List<Write> group = new ArrayList<>();
      List<Document> documents = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = found.next();
        if (more) {
          documents.add(found.current());
          group.add(new Write.Delete(Ids.key(found.current()), found.version()));
        }
        if (group.size() == GROUP || (!more && !group.isEmpty())) {
          deleted += write(group, documents, overtaken);
          group = new ArrayList<>();
          documents = new ArrayList<>();
          request.check();
        }
      }
    }
    for (Document document : overtaken) {
      deleted += deleteFirst(Ids.narrowed(query, document)).isPresent() ? 1 : 0;
    }
    return deleted;
  }

  private long write(List<Write> group, List<Document> documents, List<Document> overtaken) {
    long deleted = 0;
    List<WriteOutcome> outcomes = target.write(group, Grouping.UNORDERED, Statement.NONE);
    for (int i = 0; i < outcomes.size(); i++) {
      switch (outcomes.get(i)) {
        case WriteOutcome.Deleted _ -> deleted++;
        case WriteOutcome.Failed(EngineException failure) -> {
          if (!overtaken(failure)) {
            throw failure;
          }
          if (failure.reason() == Reason.VERSION_MISMATCH) {
            overtaken.add(documents.get(i));
          }
        }
        case WriteOutcome _ -> {}
      }
    }
    return deleted;
  }

  /** Whether another write changed or deleted the document first. */
  private static boolean overtaken(EngineException failure) {
    return failure.reason() == Reason.VERSION_MISMATCH || failure.reason() == Reason.NOT_FOUND;
  }
}
