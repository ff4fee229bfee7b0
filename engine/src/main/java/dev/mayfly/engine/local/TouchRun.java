package dev.mayfly.engine.local;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Run of {@link dev.mayfly.engine.ExpiryService#touch}: reads the documents of a query from one
 * snapshot and writes them in slices. For one thread.
 */
final class TouchRun {
  /** Limits of a slice: documents, and bytes of documents. */
  private static final int MAX_DOCUMENTS = 500;

  private static final long MAX_BYTES = 4 << 20;

  private final Collection collection;
  private final OperationContext operation;
  private final Touch touch;
  private final NewDeadlines deadlines;
  private final Matcher matcher;
  private long matched;
  private long touched;
  private double charge;

  TouchRun(Collection collection, OperationContext operation, Query query, Touch touch) {
    this.collection = collection;
    this.operation = operation;
    this.touch = touch;
    this.deadlines =
        NewDeadlines.of(collection.spec(), touch.rule(), touch.life(), operation.now());
    this.matcher = query.filter().matcher(query.mode());
  }

  /**
   * Touches the documents of a query.
   *
   * @param began the sequence of the first write that is not older than the run
   */
  Touched run(Query query, long began, BooleanSupplier stop) {
    try (Cursor found = collection.query(operation, query.withoutTouch())) {
      List<Attempt> slice = new ArrayList<>();
      long bytes = 0;
      boolean more = true;
      while (more) {
        more = found.next();
        if (more && !isDone(found.current())) {
          slice.add(new Attempt(DocumentKey.of(collection.spec(), found.document())));
          bytes += found.document().length();
        }
        boolean full = slice.size() >= MAX_DOCUMENTS || bytes >= MAX_BYTES;
        if (full || (!more && !slice.isEmpty())) {
          if (stop.getAsBoolean()) {
            return new Touched(matched, touched, began, false, charge);
          }
          operation.check();
          write(slice);
          slice.clear();
          bytes = 0;
          operation.renew();
        }
      }
    }
    return new Touched(matched, touched, began, true, charge);
  }

  /** Whether a document was written after the call began that this one continues. */
  private boolean isDone(StoredDocument stored) {
    return touch.since() != Touch.FROM_NOW && stored.version() >= touch.since();
  }

  private void write(List<Attempt> slice) {
    List<Write> writes = new ArrayList<>(slice.size());
    slice.forEach(attempt -> writes.add(new Write.Touch(attempt.key, attempt, Write.ANY_VERSION)));
    WriteResult result =
        collection.write(operation, writes, Grouping.UNORDERED, Durability.SYNCED, null);
    charge += result.charge();
    List<WriteOutcome> outcomes = result.outcomes();
    for (int i = 0; i < slice.size(); i++) {
      slice.get(i).rethrow();
      if (outcomes.get(i) instanceof WriteOutcome.Failed(EngineException failure)
          && failure.reason() != Reason.NOT_FOUND) {
        throw failure;
      }
      matched += slice.get(i).matches ? 1 : 0;
      touched += outcomes.get(i) instanceof WriteOutcome.Updated ? 1 : 0;
    }
  }

  /** Write of one document; the engine calls it under the lock of the shard. */
  private final class Attempt implements Function<StoredDocument, Document> {
    private final DocumentKey key;
    private boolean matches;
    private @Nullable RuntimeException failure;

    Attempt(DocumentKey key) {
      this.key = key;
    }

    @Override
    public Document apply(StoredDocument before) {
      matches = false;
      failure = null;
      Optional<Document> after = Optional.empty();
      try {
        matches = matcher.matches(before.document()) && touch.filter().test(before);
        if (matches) {
          after = deadlines.of(before, operation.now());
          after.ifPresent(changed -> touch.check().accept(before.document(), changed));
        }
      } catch (RuntimeException thrown) {
        failure = thrown;
      }
      if (failure != null || after.isEmpty()) {
        throw new EngineException(Reason.NOT_FOUND, "the document is not touched");
      }
      return after.get();
    }

    void rethrow() {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
