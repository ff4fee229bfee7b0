package dev.mayfly.mongo;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.session.Sessions;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The cell of the last transaction of each session: that of its first statement. A session that has
 * been idle for half an hour has none any more. Thread-safe.
 */
final class TransactionCells {
  /** Field of replies, by which drivers finish a transaction through another server. */
  static final String RECOVERY_TOKEN = "recoveryToken";

  private static final String CELL = "cell";
  private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(30);

  private final LongSupplier ticker;
  private final Map<Key, Pinned> transactions = new ConcurrentHashMap<>();

  private record Key(Value session, String owner) {}

  private record Pinned(long number, int cell, long usedNanos) {}

  /**
   * @param ticker monotonic nanoseconds
   */
  TransactionCells(LongSupplier ticker) {
    this.ticker = ticker;
  }

  /** Returns the cell of the transaction of a request, if this server knows it. */
  OptionalInt of(Request request) {
    Pinned known = transactions.get(key(request));
    return known != null && Value.of(known.number()).equals(request.field("txnNumber"))
        ? OptionalInt.of(known.cell())
        : OptionalInt.empty();
  }

  /** Returns the cell that the recovery token of a request names. */
  static OptionalInt ofToken(Request request) {
    Value token = request.field(RECOVERY_TOKEN);
    Value cell = token.isDocument() ? token.asDocument().field(CELL) : Value.MISSING;
    return cell.type() == Type.INT32 ? OptionalInt.of(cell.asInt()) : OptionalInt.empty();
  }

  /** Returns the recovery token of a transaction. */
  static Document token(int cell) {
    return Document.writer().put(CELL, cell).build();
  }

  /** Records the cell of the transaction of a request. */
  void pin(Request request, int cell) {
    Value number = request.field("txnNumber");
    if (number.type() == Type.INT64) {
      transactions.put(key(request), new Pinned(number.asLong(), cell, ticker.getAsLong()));
    }
  }

  /** Copied, so that it does not keep the message in memory. */
  private static Key key(Request request) {
    Value id = request.document("lsid").field("id");
    Document copy = Document.writer().put("id", id).build();
    return new Key(copy.field("id"), Sessions.owner(request));
  }

  /** Forgets the transactions of idle sessions. */
  void expire() {
    long now = ticker.getAsLong();
    transactions.values().removeIf(one -> now - one.usedNanos() > IDLE_NANOS);
  }
}
