package dev.mayfly.engine;

import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Context of one operation: its instant, its interruption, and whether it may block. A door makes
 * one per request and passes it to every call of the engine; methods without a context make their
 * own. Belongs to one thread at a time.
 *
 * <p>The instant is read from the clock of the engine once, when the operation begins. Everything
 * in the operation uses it: which documents are expired, the time of its writes, the time in
 * generated ids. Engine time does not go back, so an operation is never decided at an earlier
 * instant than an operation that had ended before it began. Only a wait ends the instant: after it,
 * {@link #renew} reads the clock again, because documents may have expired meanwhile.
 *
 * <pre>{@code
 * OperationContext operation = engine.operation();
 * Optional<StoredDocument> cart = carts.read(operation, key);
 * orders.write(operation, List.of(order(cart, operation.now())), ATOMIC, SYNCED, null);
 * }</pre>
 */
public interface OperationContext {
  /** Returns the instant of the operation, in epoch milliseconds of the engine. */
  long now();

  /**
   * Reads the clock again and returns the new instant, which {@link #now} returns from now on.
   *
   * <p>The engine calls it in three cases: a write has waited for a transaction; a transaction has
   * taken the locks for its commit; the sweep has already removed documents that were live at the
   * instant at which a cursor is opened.
   */
  long renew();

  /** Throws if the operation must stop. Called repeatedly while the engine waits for something. */
  void check();

  /**
   * Returns the commit that writes of an operation on an event loop are added to. Calls with such a
   * context do not block: they throw {@link WouldBlock} instead. Empty if the operation may block.
   */
  Optional<PendingCommit> pending();

  /**
   * Fails if the operation must not block.
   *
   * @throws WouldBlock if it must not
   */
  default void mayWait() {
    if (pending().isPresent()) {
      throw new WouldBlock();
    }
  }

  /** Begins an operation that may block and that nothing stops. */
  static OperationContext begin(LongSupplier clock) {
    return begin(clock, () -> {});
  }

  /**
   * Begins an operation that may block.
   *
   * @param check throws if the operation must stop
   */
  static OperationContext begin(LongSupplier clock, Runnable check) {
    return begin(clock, check, Optional.empty());
  }

  /** Begins an operation that must not block. */
  static OperationContext begin(LongSupplier clock, PendingCommit pending) {
    return begin(clock, () -> {}, Optional.of(pending));
  }

  private static OperationContext begin(
      LongSupplier clock, Runnable check, Optional<PendingCommit> pending) {
    return new OperationContext() {
      private long now = clock.getAsLong();

      @Override
      public long now() {
        return now;
      }

      @Override
      public long renew() {
        now = clock.getAsLong();
        return now;
      }

      @Override
      public void check() {
        check.run();
      }

      @Override
      public Optional<PendingCommit> pending() {
        return pending;
      }
    };
  }
}
