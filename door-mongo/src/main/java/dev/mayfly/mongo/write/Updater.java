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
 * Updates documents that pass a filter at the moment they are updated.
 *
 * <p>A document is found by the query first and asked about again under the lock of its shard, so
 * that an update never goes to a document that another writer has just changed into one that is not
 * meant.
 */
final class Updater {
  private static final int GROUP = 500;
  private static final int MAX_ATTEMPTS = 1000;

  private final Request request;
  private final CollectionOperations target;
  private final Statement kept;
  private final Inserter inserter;
  private final boolean shown;

  /**
   * Updates for a statement of a request.
   *
   * @param number of the statement in its command
   * @param shown whether the documents before and after are to be shown, again when repeated
   */
  Updater(
      Request request, CollectionOperations target, Inserter inserter, int number, boolean shown) {
    this.request = request;
    this.kept = new Statement(number, outcome -> kept(outcome, shown));
    this.target = target;
    this.inserter = inserter;
    this.shown = shown;
  }

  /**
   * What an update did.
   *
   * @param upserted the id of the document that was made, or missing
   * @param before the one document that was updated, as it was
   * @param after the one document that was updated or made, as it is
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

  /** Tells the engine to leave a document alone. */
  private static EngineException notMeant() {
    return new EngineException(Reason.NOT_FOUND, "the document is not, or no longer, meant");
  }

  /** An update of one document under its lock. */
  private static final class Attempt implements UpdateFunction {
    private final UpdateStatement statement;
    private final Validator validator;
    private final UnaryOperator<Document> form;
    private final List<String> setWhole = new ArrayList<>(0);
    private final Runnable interrupt = Interrupt.request();
    private final LongPredicate granted;
    private boolean missed;
    private long tooLarge;
    private @Nullable RuntimeException failure;

    /**
     * An attempt.
     *
     * @param granted claims memory for a reply of so many bytes; without it nothing is updated
     */
    Attempt(
        UpdateStatement statement,
        Validator validator,
        UnaryOperator<Document> form,
        LongPredicate granted) {
      this.statement = statement;
      this.validator = validator;
      this.form = form;
      this.granted = granted;
    }

    @Override
    public Document apply(Document before) {
      // the thread may be that of another request, which has the lock and writes for both
      return Interrupt.run(interrupt, () -> applied(before));
    }

    private Document applied(Document before) {
      missed = !statement.matches(before);
      if (missed) {
        throw notMeant();
      }
      Document after;
      try {
        setWhole.clear();
        after = form.apply(statement.applied(before, setWhole::add));
        validator.checkUpdate(before, after);
      } catch (RuntimeException refused) {
        failure = refused;
        throw notMeant();
      }
      claim(Math.max(before.length(), after.length()));
      return after;
    }

    private void claim(long bytes) {
      tooLarge = granted.test(bytes) ? 0 : bytes;
      if (tooLarge > 0) {
        throw notMeant();
      }
    }

    /** How large a reply would have been that there was no memory for; 0 when there was. */
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

  /** Updates the first document of the query, or makes one. */
  Result first(UpdateStatement statement) {
    Optional<Value> id = Ids.only(statement.query());
    if (id.isEmpty()) {
      // with an id the write itself is asked
      Optional<WriteOutcome.Repeated> before = target.done(kept);
      if (before.isPresent()) {
        return repeated(before.get());
      }
    }
    return firstNow(statement, id);
  }

  private Result firstNow(UpdateStatement statement, Optional<Value> id) {
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
        ErrorCode.WRITE_CONFLICT, "other writers were faster too many times");
  }

  private Optional<DocumentKey> find(UpdateStatement statement) {
    try (FoundRows found = target.query(statement.query().limitedTo(1))) {
      return found.next() ? Optional.of(Ids.key(found.current())) : Optional.empty();
    }
  }

  private Attempt attempt(UpdateStatement statement) {
    return new Attempt(
        statement,
        target.validator(),
        after -> statement.replaces() ? inserter.replacing(request, after) : after,
        bytes -> !shown || request.client().replyMemory().growReply(bytes));
  }

  private static Write update(UpdateStatement statement, DocumentKey key, Attempt attempt) {
    return new Write.Update(key, attempt, Write.ANY_VERSION, statement.replaces());
  }

  /** Empty when the document is gone or no longer meant. */
  private Optional<Result> update(UpdateStatement statement, DocumentKey key) {
    Attempt attempt = attempt(statement);
    WriteOutcome outcome = target.write(update(statement, key, attempt), kept);
    while (attempt.tooLarge() > 0) {
      // waits without the document, and before anything is written
      ReplyMemory.await(request, attempt.tooLarge());
      attempt = attempt(statement);
      outcome = target.write(update(statement, key, attempt), kept);
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
        if (failure.reason() != Reason.NOT_FOUND) {
          throw DuplicateKey.translate(failure, target.namespace(), target.spec());
        }
        yield Optional.empty();
      }
      case WriteOutcome other -> throw new IllegalStateException(other.toString());
    };
  }

  /** Empty when another writer has made such a document meanwhile: it is to be updated then. */
  private Optional<Result> insert(UpdateStatement statement) {
    Document document = inserter.prepared(request, statement.inserted());
    target.validator().checkInsert(document);
    if (shown) {
      ReplyMemory.await(request, document.length());
    }
    WriteOutcome outcome = target.write(new Write.Insert(document), kept);
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

  /** What of an outcome a repeated command has to know. */
  private static Document kept(WriteOutcome outcome, boolean shown) {
    return switch (outcome) {
      case WriteOutcome.Inserted(StoredDocument after) ->
          Document.writer()
              .put("upserted", after.document().field("_id"))
              .put("after", shown ? Value.of(after.document()) : Value.MISSING)
              .build();
      case WriteOutcome.Updated(Document before, StoredDocument after) when shown ->
          Document.writer().put("before", before).put("after", after.document()).build();
      case WriteOutcome.Unchanged(StoredDocument same) when shown ->
          Document.writer().put("before", same.document()).put("after", same.document()).build();
      case WriteOutcome _ -> Document.EMPTY;
    };
  }

  private Result repeated(WriteOutcome.Repeated repeated) {
    if (shown) {
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

  /** Updates all documents of the query, or makes one when there is none. */
  Result all(UpdateStatement statement) {
    long matched = 0;
    long modified = 0;
    try (FoundRows found = target.query(statement.query())) {
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
          List<WriteOutcome> outcomes = upToAFailure(group, writes);
          matched += outcomes.stream().filter(outcome -> !missed(outcome)).count();
          modified += outcomes.stream().filter(WriteOutcome.Updated.class::isInstance).count();
          group.clear();
          writes = new ArrayList<>();
          request.check();
        }
      }
    }
    if (matched == 0 && statement.upsert()) {
      return insert(statement).orElseGet(() -> all(statement));
    }
    return new Result(matched, modified, Value.MISSING, Optional.empty(), Optional.empty());
  }

  /**
   * Does updates in their order, and throws the first failure: those after it are not done. One
   * that no longer finds its document ends a round of the engine, too, and is passed over.
   */
  private List<WriteOutcome> upToAFailure(List<Attempt> group, List<Write> writes) {
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
