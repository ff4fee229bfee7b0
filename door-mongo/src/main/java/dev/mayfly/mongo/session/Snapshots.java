package dev.mayfly.mongo.session;

import dev.mayfly.engine.Engine;
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
 * The instants that reads outside of transactions go back to, each held by the engine: of a limited
 * number and for a limited time, so that nobody who forgets one keeps the past alive. Safe for many
 * threads.
 */
public final class Snapshots {
  private static final long LIFE_MILLIS = TimeUnit.MINUTES.toMillis(5);
  private static final int MOST = 100;

  /** What may be read as of an instant. */
  private static final Set<String> COMMANDS = Set.of("find", "aggregate", "distinct");

  /** What is about cursors, which know what they read: drivers say it all the same. */
  private static final Set<String> OF_CURSORS = Set.of("getMore", "killCursors");

  /** A timestamp is a millisecond; several snapshots of one are told apart by this. */
  private static final long NEXT = 1000;

  private final Engine engine;

  /** By timestamp, so that the oldest come first. Guarded by this. */
  private final Map<Long, Transaction> held = new TreeMap<>();

  /** No timestamp is given twice, though what it was given to is let go. Guarded by this. */
  private long last;

  public Snapshots(Engine engine) {
    this.engine = engine;
  }

  /**
   * The request as of the instant that it names, or of now when it names none; itself when it reads
   * no snapshot.
   *
   * @throws CommandException INVALID_OPTIONS when the command cannot be read as of an instant
   */
  public Request dated(Request request) {
    ReadConcern concern = ReadConcern.of(request);
    if (!concern.snapshot() || OF_CURSORS.contains(request.name())) {
      return request;
    }
    if (!COMMANDS.contains(request.name())) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS,
          "Command " + request.name() + " does not support readConcern level snapshot");
    }
    return concern.atClusterTime().isMissing() ? ReadConcern.at(request, take()) : request;
  }

  /** Holds what is there now; the timestamp by which it is found again. */
  private synchronized Value take() {
    forgetClosed();
    Transaction view = engine.view(LIFE_MILLIS);
    long time = ClusterTime.of(view.now()).asTimestamp();
    while (time <= last) {
      time += NEXT;
    }
    last = time;
    held.put(time, view);
    return Value.timestamp(time);
  }

  private void forgetClosed() {
    held.values().removeIf(view -> !view.open());
    while (held.size() >= MOST) {
      Long oldest = held.keySet().iterator().next();
      Optional.ofNullable(held.remove(oldest)).ifPresent(Transaction::abort);
    }
  }

  /**
   * What a {@linkplain #dated dated} request reads from, if that is a snapshot.
   *
   * @throws CommandException SNAPSHOT_TOO_OLD when the instant is not held, or no longer
   */
  public Optional<Transaction> of(Request request) {
    if (!request.has("readConcern") || Transactions.includes(request)) {
      return Optional.empty();
    }
    Value time = ReadConcern.of(request).atClusterTime();
    return time.isMissing() ? Optional.empty() : Optional.of(at(time.asTimestamp()));
  }

  private synchronized Transaction at(long time) {
    Transaction found = held.get(time);
    if (found == null || !found.open()) {
      throw new CommandException(
          ErrorCode.SNAPSHOT_TOO_OLD,
          "Read timestamp is older than the oldest available timestamp, or no snapshot was taken"
              + " at it");
    }
    return found;
  }
}
