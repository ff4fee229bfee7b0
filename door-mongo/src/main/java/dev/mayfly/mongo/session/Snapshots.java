package dev.mayfly.mongo.session;

import dev.mayfly.engine.Engine;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.Transaction;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.mongo.command.ReadConcern;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Value;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Snapshots for read concern {@code snapshot} outside transactions, by their {@code atClusterTime}.
 * Clients do not close them, so the engine closes each one after five minutes, and at most 100 are
 * open. Safe for many threads.
 */
public final class Snapshots {
  private static final long LIFE_MILLIS = TimeUnit.MINUTES.toMillis(5);
  private static final int MAX_SNAPSHOTS = 100;

  /** The commands that support read concern snapshot. */
  private static final Set<String> COMMANDS = Set.of("find", "aggregate", "distinct");

  /** Drivers send the read concern with these, too; the cursor already has its snapshot. */
  private static final Set<String> CURSOR_COMMANDS = Set.of("getMore", "killCursors");

  /**
   * Added to the timestamp of another snapshot in the same millisecond: {@link ClusterTime} uses
   * counts up to 1000, so higher ones are unique.
   */
  private static final long TIMESTAMP_STEP = 1000;

  private final Engine engine;

  /** Open snapshots by timestamp, the oldest first. Guarded by this. */
  private final Map<Long, Transaction> held = new TreeMap<>();

  /** The last timestamp; none is used twice, even after its snapshot is closed. Guarded by this. */
  private long last;

  public Snapshots(Engine engine) {
    this.engine = engine;
  }

  /**
   * The request with an {@code atClusterTime}: takes a snapshot if it has read concern snapshot
   * without one. Other requests are returned unchanged.
   *
   * @throws CommandException INVALID_OPTIONS if the command does not support read concern snapshot
   */
  public Request withClusterTime(Request request) {
    ReadConcern concern = ReadConcern.of(request);
    if (!concern.snapshot() || CURSOR_COMMANDS.contains(request.name())) {
      return request;
    }
    if (!COMMANDS.contains(request.name())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Command " + request.name() + " does not support readConcern level snapshot");
    }
    return concern.atClusterTime().isMissing()
        ? ReadConcern.at(request, take(request.operation()))
        : request;
  }

  /** Takes a snapshot and returns its timestamp. */
  private synchronized Value take(OperationContext operation) {
    evict(operation);
    Transaction view = engine.view(operation, LIFE_MILLIS);
    long time = ClusterTime.of(view.now()).asTimestamp();
    while (time <= last) {
      time += TIMESTAMP_STEP;
    }
    last = time;
    held.put(time, view);
    return Value.timestamp(time);
  }

  private void evict(OperationContext operation) {
    held.values().removeIf(view -> !view.open(operation));
    while (held.size() >= MAX_SNAPSHOTS) {
      Long oldest = held.keySet().iterator().next();
      Optional.ofNullable(held.remove(oldest)).ifPresent(Transaction::abort);
    }
  }

  /**
   * The snapshot that a request reads from; empty without an {@code atClusterTime}.
   *
   * @throws CommandException SNAPSHOT_TOO_OLD if there is no open snapshot at that time
   */
  public Optional<Transaction> of(Request request) {
    if (!request.has("readConcern") || Transactions.includes(request)) {
      return Optional.empty();
    }
    Value time = ReadConcern.of(request).atClusterTime();
    return time.isMissing()
        ? Optional.empty()
        : Optional.of(at(request.operation(), time.asTimestamp()));
  }

  private synchronized Transaction at(OperationContext operation, long time) {
    Transaction found = held.get(time);
    if (found == null || !found.open(operation)) {
      throw new CommandException(
          ErrorCode.SNAPSHOT_TOO_OLD,
          "Read timestamp is older than the oldest available timestamp, or no snapshot was taken"
              + " at it");
    }
    return found;
  }
}
