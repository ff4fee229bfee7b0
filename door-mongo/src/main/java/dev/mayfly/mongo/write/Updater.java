package dev.mayfly.mongo.write;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.UpdateFunction;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mongo.access.Ids;
import dev.mayfly.mongo.access.Statement;
import dev.mayfly.mongo.change.UpdateNote;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.collection.Validator;
import dev.mayfly.mongo.command.ReplyMemory;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Executes one update statement.
 *
 * <p>The query finds a document, and the filter is evaluated again under the lock of its shard. So
 * a document that another writer has changed in between is updated only if it still matches. For
 * one thread.
 */
final class Updater {
  private static final int GROUP = 500;
  private static final int MAX_ATTEMPTS = 1000;

  private final Request request;
  private final CollectionOperations target;
  private final Statement retryStatement;
  private final Inserter inserter;
  private final boolean returnsDocuments;

  /**
   * An update statement of a request.
   *
   * @param number of the statement in its command
   * @param returnsDocuments whether the reply contains the document before or after; a retry
   *     returns it again
   */
  Updater(
      Request request,
      CollectionOperations target,
      Inserter inserter,
      int number,
      boolean returnsDocuments) {
    this.request = request;
    this.retryStatement = new Statement(number, outcome -> reply(outcome, returnsDocuments));
    this.target = target;
    this.inserter = inserter;
    this.returnsDocuments = returnsDocuments;
  }

  /**
   * The result of an update.
   *
   * @param upserted the id of the inserted document; missing without one
   * @param before the document before an update of one document
   * @param after the document after an update of one document, or the inserted one
   */
  record Result(
      long matched,
      long modified,
      Value upserted,
      Optional<Document> before,
      Optional<Document> after) {
    static final Result NOTHING =
        new Result(0, 0, Value.MISSING, Optional.empty(), Optional.empty());
  }

  /** Thrown in an update function: the engine leaves the document unchanged. */
  private static EngineException noMatch() {
    return new EngineException(Reason.NOT_FOUND, "the document does not match the filter");
  }

  /** Update of one document; the engine calls it under the lock of the shard. */
  private static final class Attempt implements UpdateFunction {
    private final UpdateStatement statement;
    private final Validator validator;
    private final UnaryOperator<Document> form;
    private final List<String> setWhole = new ArrayList<>(0);
    private final Runnable interrupt = Interrupt.request();
    private final LongPredicate reserveReply;
    private boolean missed;
    private long tooLarge;
    private @Nullable RuntimeException failure;

    /**
     * An attempt.
     *
     * @param reserveReply reserves memory for a reply, in bytes; if it returns false, nothing is
     *     updated
     */
    Attempt(
        UpdateStatement statement,
        Validator validator,
        UnaryOperator<Document> form,
        LongPredicate reserveReply) {
      this.statement = statement;
      this.validator = validator;
      this.form = form;
      this.reserveReply = reserveReply;
    }

    @Override
    public Document apply(Document before) {
      // the thread may belong to another request, which holds the lock and writes for both
      return Interrupt.run(interrupt, () -> applied(before));
    }

    private Document applied(Document before) {
      missed = !statement.matches(before);
      if (missed) {
        throw noMatch();
      }
      Document after;
      try {
        setWhole.clear();
        after = form.apply(statement.applied(before, setWhole::add));
        validator.checkUpdate(before, after);
      } catch (RuntimeException thrown) {
        failure = thrown;
        throw noMatch();
      }
      claim(Math.max(before.length(), after.length()));
      return after;
    }

    private void claim(long bytes) {
      tooLarge = reserveReply.test(bytes) ? 0 : bytes;
      if (tooLarge > 0) {
        throw noMatch();
      }
    }

    /** The bytes of the reply if there was not enough memory for it; otherwise 0. */
    long tooLarge() {
      return tooLarge;
    }

    @Override
    public Document note() {
      return UpdateNote.of(setWhole);
    }

    void rethrow() {
      if (failure != null) {
        throw failure;
      }
    }
  }

  /** Updates the first document of the query, or inserts one. */
  Result updateOne(UpdateStatement statement) {
    Optional<Value> id = Ids.only(statement.query());
    if (id.isEmpty()) {
      // a write by id checks for a retry itself
      Optional<WriteOutcome.Repeated> before = target.receipt(retryStatement);
      if (before.isPresent()) {
        return repeated(before.get());
      }
    }
    return updateFirst(statement, id);
  }

  private Result updateFirst(UpdateStatement statement, Optional<Value> id) {
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Optional<DocumentKey> key = id.isPresent() ? id.map(DocumentKey::of) : find(statement);
      Optional<Result> result = key.isPresent() ? update(statement, key.get()) : Optional.empty();
      boolean none = key.isEmpty() || (id.isPresent() && result.isEmpty());
      if (result.isEmpty() && none) {
        result = statement.upsert() ? insert(statement) : Optional.of(Result.NOTHING);
      }
      if (result.isPresent()) {
        return result.get();
      }
      request.check();
    }
    throw new CommandException(
        ErrorCode.WRITE_CONFLICT,
        "the update was retried "
            + MAX_ATTEMPTS
            + " times because of concurrent writes; retry the operation");
  }

  private Optional<DocumentKey> find(UpdateStatement statement) {
    try (FoundRows found = target.query(statement.query().limitedTo(1).withoutTouch())) {
      return found.next() ? Optional.of(Ids.key(found.current())) : Optional.empty();
    }
  }

  private Attempt attempt(UpdateStatement statement) {
    return new Attempt(
        statement,
        target.validator(),
        after -> statement.replaces() ? inserter.replacing(request, after) : after,
        bytes -> !returnsDocuments || request.client().replyMemory().growReply(bytes));
  }

  private static Write update(UpdateStatement statement, DocumentKey key, Attempt attempt) {
    return new Write.Update(key, attempt, statement.version(), statement.replaces());
  }

  /** Empty if the document is gone or no longer matches. */
  private Optional<Result> update(UpdateStatement statement, DocumentKey key) {
    Attempt attempt = attempt(statement);
    WriteOutcome outcome = target.write(update(statement, key, attempt), retryStatement);
    while (attempt.tooLarge() > 0) {
      // waits without holding the document, and before anything is written
      ReplyMemory.await(request, attempt.tooLarge());
      attempt = attempt(statement);
      outcome = target.write(update(statement, key, attempt), retryStatement);
    }
    attempt.rethrow();
    return switch (outcome) {
      case WriteOutcome.Updated(Document before, StoredDocument after) ->
          Optional.of(
              new Result(1, 1, Value.MISSING, Optional.of(before), Optional.of(after.document())));
      case WriteOutcome.Unchanged(StoredDocument same) -> {
        Optional<Document> document = Optional.of(same.document());
        yield Optional.of(new Result(1, 0, Value.MISSING, document, document));
      }
      case WriteOutcome.Repeated repeated -> Optional.of(repeated(repeated));
      case WriteOutcome.Failed(EngineException failure) -> {
        if (failure.reason() == Reason.VERSION_MISMATCH) {
          throw Statements.otherVersion();
        }
        if (failure.reason() != Reason.NOT_FOUND) {
          throw DuplicateKey.translate(failure, target.namespace(), target.spec());
        }
        yield Optional.empty();
      }
      case WriteOutcome other -> throw new IllegalStateException(other.toString());
    };
  }

  /** Empty if another writer has inserted a matching document, which is to be updated then. */
  private Optional<Result> insert(UpdateStatement statement) {
    Document document = inserter.prepared(request, statement.inserted());
    target.validator().checkInsert(document);
    if (returnsDocuments) {
      ReplyMemory.await(request, document.length());
    }
    WriteOutcome outcome = target.write(new Write.Insert(document), retryStatement);
    if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
      boolean duplicate =
          failure.reason() == Reason.DUPLICATE_ID || failure.reason() == Reason.DUPLICATE_KEY;
      if (duplicate && find(statement).isPresent()) {
        return Optional.empty();
      }
      throw DuplicateKey.translate(failure, target.namespace(), target.spec());
    }
    return Optional.of(
        new Result(0, 0, document.field("_id"), Optional.empty(), Optional.of(document)));
  }

  /** The part of an outcome that a retry needs. */
  private static Document reply(WriteOutcome outcome, boolean returnsDocuments) {
    return switch (outcome) {
      case WriteOutcome.Inserted(StoredDocument after) ->
          Document.writer()
              .put("upserted", after.document().field("_id"))
              .put("after", returnsDocuments ? Value.of(after.document()) : Value.MISSING)
              .build();
      case WriteOutcome.Updated(Document before, StoredDocument after) when returnsDocuments ->
          Document.writer().put("before", before).put("after", after.document()).build();
      case WriteOutcome.Unchanged(StoredDocument same) when returnsDocuments ->
          Document.writer().put("before", same.document()).put("after", same.document()).build();
      case WriteOutcome _ -> Document.EMPTY;
    };
  }

  private Result repeated(WriteOutcome.Repeated repeated) {
    if (returnsDocuments) {
      ReplyMemory.await(request, repeated.reply().length());
    }
    boolean inserted = repeated.done() == WriteOutcome.Done.INSERTED;
    return new Result(
        inserted ? 0 : 1,
        repeated.done() == WriteOutcome.Done.UPDATED ? 1 : 0,
        repeated.reply().field("upserted"),
        document(repeated.reply().field("before")),
        document(repeated.reply().field("after")));
  }

  private static Optional<Document> document(Value value) {
    return value.isDocument() ? Optional.of(value.asDocument()) : Optional.empty();
  }

  /** Updates all documents of the query; an upsert inserts one if nothing matches. */
  Result updateMany(UpdateStatement statement) {
    long matched = 0;
    long modified = 0;
    try (FoundRows found = target.query(statement.query().withoutTouch())) {
      List<Attempt> group = new ArrayList<>();
      List<Write> writes = new ArrayList<>();
      boolean more = true;
      while (more) {
        more = found.next();
        if (more) {
          Attempt attempt = attempt(statement);
          group.add(attempt);
          writes.add(update(statement, Ids.key(found.current()), attempt));
        }
        if (group.size() == GROUP || (!more && !group.isEmpty())) {
          List<WriteOutcome> outcomes = executeUntilFailure(group, writes);
          matched += outcomes.stream().filter(outcome -> !missed(outcome)).count();
          modified += outcomes.stream().filter(WriteOutcome.Updated.class::isInstance).count();
          group.clear();
          writes = new ArrayList<>();
          request.check();
        }
      }
    }
    if (matched == 0 && statement.upsert()) {
      return insert(statement).orElseGet(() -> updateMany(statement));
    }
    return new Result(matched, modified, Value.MISSING, Optional.empty(), Optional.empty());
  }

  /**
   * Executes updates in order and throws the first failure; later ones are not executed. An update
   * whose document no longer matches also ends an ordered call of the engine; it is skipped and the
   * rest is executed in another call.
   */
  private List<WriteOutcome> executeUntilFailure(List<Attempt> group, List<Write> writes) {
    List<WriteOutcome> outcomes = new ArrayList<>();
    while (outcomes.size() < writes.size()) {
      List<Write> rest = writes.subList(outcomes.size(), writes.size());
      for (WriteOutcome outcome : target.write(rest, Grouping.ORDERED, Statement.NONE)) {
        if (outcome instanceof WriteOutcome.Skipped) {
          break;
        }
        group.get(outcomes.size()).rethrow();
        if (outcome instanceof WriteOutcome.Failed(EngineException failure) && !missed(outcome)) {
          throw DuplicateKey.translate(failure, target.namespace(), target.spec());
        }
        outcomes.add(outcome);
      }
    }
    return outcomes;
  }

  private static boolean missed(WriteOutcome outcome) {
    return outcome instanceof WriteOutcome.Failed(EngineException failure)
        && failure.reason() == Reason.NOT_FOUND;
  }
}
