package dev.mayfly.mongo.access;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Tailable cursor on a capped collection: returns documents in insertion order and can wait for new
 * ones. For one thread at a time.
 */
final class CappedTail implements Tail {
  private final Engine engine;
  private final Collection collection;
  private final Query query;
  private OperationContext operation;
  private @Nullable Cursor cursor;
  private Document current = Document.EMPTY;
  private long after;

  /** The open engine cursor covers all insertions up to this one, whether they match or not. */
  private long reached;

  CappedTail(Engine engine, Collection collection, Query query, OperationContext operation) {
    this.engine = engine;
    this.operation = operation;
    this.collection = collection;
    this.query = query;
  }

  @Override
  public void begin(OperationContext next) {
    operation = next;
  }

  @Override
  public boolean next() {
    Cursor open = cursor;
    if (open == null) {
      reached = collection.lastArrival();
      open = collection.arrivals(operation, query, after);
      cursor = open;
      checkPosition();
    }
    if (open.next()) {
      current = open.document();
      after = open.arrival();
      return true;
    }
    after = Math.max(after, reached);
    close();
    return false;
  }

  /** Fails if the last returned document was overwritten: later ones may be lost, too. */
  private void checkPosition() {
    if (after > 0 && after <= collection.lastDeparted()) {
      close();
      throw new CommandException(
          ErrorCode.CAPPED_POSITION_LOST,
          "the position of the tailable cursor was overwritten in the capped collection "
              + collection.namespace()
              + ": open another cursor");
    }
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public boolean await(long nanos) {
    try {
      return collection.awaitArrival(after, Duration.ofNanos(nanos));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public boolean ended() {
    return engine
        .find(collection.namespace())
        .filter(found -> found.id() == collection.id())
        .isEmpty();
  }

  @Override
  public void close() {
    Cursor open = cursor;
    cursor = null;
    if (open != null) {
      open.close();
    }
  }
}
