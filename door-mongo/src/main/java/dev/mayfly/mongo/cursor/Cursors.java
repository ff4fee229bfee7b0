package dev.mayfly.mongo.cursor;

import dev.mayfly.mongo.command.ErrorLabels;
import dev.mayfly.mongo.command.Failures;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Registry of open cursors by cursor id; one per backend. Safe for many threads. */
public final class Cursors implements AutoCloseable {
  private final Map<Long, OpenCursor> open = new ConcurrentHashMap<>();
  private final int maxOpen;
  private volatile long idleNanos;
  private final LongSupplier ticker;
  private final LongAdder timedOut = new LongAdder();
  private final HeldMemory held;
  private final LongSupplier ids;

  /** An empty registry with random ids. */
  public Cursors(int maxOpen, long idleNanos, long heldBytes, LongSupplier ticker) {
    this(maxOpen, idleNanos, heldBytes, ticker, Cursors::randomId);
  }

  /**
   * An empty registry.
   *
   * @param maxOpen the number of cursors that can be open at a time
   * @param idleNanos how long a cursor may be idle
   * @param heldBytes the memory that all of them may hold between requests
   * @param ticker monotonic nanoseconds
   * @param ids returns candidates for the ids of new cursors
   */
  public Cursors(
      int maxOpen, long idleNanos, long heldBytes, LongSupplier ticker, LongSupplier ids) {
    this.ids = ids;
    this.maxOpen = maxOpen;
    this.held = new HeldMemory(heldBytes, ticker);
    this.idleNanos = idleNanos;
    this.ticker = ticker;
  }

  /**
   * Writes the first batch of a cursor; registers the cursor if there is more, otherwise closes it.
   *
   * @param single whether there is no second batch
   */
  public void begin(
      Request request, DocumentWriter reply, OpenCursor cursor, long batch, boolean single) {
    boolean registered = false;
    try {
      reply.startDocument("cursor");
      boolean more = cursor.fill(request, reply, "firstBatch", batch, single) && !single;
      if (more) {
        // the rows of a request on an event loop cannot be read later
        request.operation().mayWait();
        register(cursor);
        registered = true;
      }
      cursor.describe(reply);
      reply.end();
    } finally {
      if (registered) {
        release(cursor);
      } else {
        cursor.close();
      }
    }
  }

  /**
   * Ends the use of a cursor by a request. Closes the longest idle ones if too much memory is held.
   */
  private void release(OpenCursor cursor) {
    if (!cursor.isKilled()) {
      for (OpenCursor idle : held.keep(cursor, cursor.heldBytes())) {
        open.remove(idle.id());
        idle.kill();
      }
      if (cursor.isKilled()) {
        held.forget(cursor);
      }
    }
    cursor.release(ticker.getAsLong());
  }

  /** Returns an id for a cursor of a server that is alone. */
  public static long randomId() {
    return ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE);
  }

  private void register(OpenCursor cursor) {
    if (open.size() >= maxOpen) {
      throw new CommandException(
          ErrorCode.OPERATION_FAILED, "too many cursors are open: the limit is " + maxOpen);
    }
    do {
      cursor.id(ids.getAsLong());
    } while (open.putIfAbsent(cursor.id(), cursor) != null);
  }

  /**
   * The cursor of a getMore.
   *
   * @throws CommandException if it does not exist or belongs to another user or session
   */
  public OpenCursor find(Request request, long id) {
    OpenCursor cursor = open.get(id);
    if (cursor == null) {
      throw notFound(id);
    }
    check(cursor, request);
    return cursor;
  }

  /**
   * Writes the next batch of a cursor that was {@linkplain #find found} for a request.
   *
   * @param beforeBatch called with the request before the batch
   */
  public void nextBatch(
      Request request,
      DocumentWriter reply,
      OpenCursor cursor,
      long batch,
      long waitNanos,
      Consumer<Request> beforeBatch) {
    long id = request.target().asLong();
    if (!cursor.acquire()) {
      if (cursor.isKilled()) {
        // killed after it was found
        throw notFound(id);
      }
      throw new CommandException(
          ErrorCode.location(20477), "cursor id " + id + " is already in use");
    }
    held.forget(cursor);
    try {
      beforeBatch.accept(request);
      cursor.await(request, waitNanos);
      if (cursor.isKilled()) {
        throw new CommandException(
            ErrorCode.CURSOR_KILLED, "cursor id " + id + " was killed while it was in use");
      }
      reply.startDocument("cursor");
      boolean more = cursor.fill(request, reply, "nextBatch", batch, false);
      if (!more) {
        forget(cursor);
      }
      cursor.describe(reply);
      reply.end();
    } catch (RuntimeException failure) {
      forget(cursor);
      throw cursor.isChangeStream() ? ofChangeStream(Failures.translate(failure)) : failure;
    } finally {
      release(cursor);
    }
  }

  /** Adds the label ResumableChangeStreamError to failures that a driver can resume from. */
  private static CommandException ofChangeStream(CommandException failure) {
    return failure.labels().isPresent()
        ? failure
        : failure.labelled(ErrorLabels.ofChangeStream(failure.code().number()));
  }

  private static void check(OpenCursor cursor, Request request) {
    String namespace = request.database() + "." + request.text("collection", "");
    if (!cursor.namespace().equals(namespace)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "Requested getMore on namespace '"
              + namespace
              + "', but cursor belongs to a different namespace "
              + cursor.namespace());
    }
    cursor.owner().check(request, cursor.id());
    if (request.has("maxTimeMS") && !cursor.isAwaiting()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "cannot set maxTimeMS on getMore command for a non-awaitData cursor");
    }
  }

  /** Removes a cursor in use from the registry: it is closed when its request ends. */
  private void forget(OpenCursor cursor) {
    open.remove(cursor.id());
    end(cursor);
    cursor.id(0);
  }

  private CommandException notFound(long id) {
    String reason =
        held.wasClosed(id)
            ? ": it was closed while it was idle, because open cursors held too many bytes of"
                + " documents (request-memory)"
            : "";
    return new CommandException(
        ErrorCode.CURSOR_NOT_FOUND, "cursor id " + id + " not found" + reason);
  }

  private void end(OpenCursor cursor) {
    held.forget(cursor);
    cursor.kill();
  }

  /** Whether a cursor is open. */
  public boolean isOpen(long id) {
    return open.containsKey(id);
  }

  /** Whether a cursor exists and belongs to another user. */
  public boolean isOfAnother(Request request, long id) {
    OpenCursor cursor = open.get(id);
    return cursor != null && !cursor.owner().user().equals(request.client().identity());
  }

  /** Kills a cursor; true if it existed. It is closed at once or when its request ends. */
  public boolean kill(long id, String namespace) {
    OpenCursor cursor = open.get(id);
    if (cursor == null || !cursor.namespace().equals(namespace)) {
      return false;
    }
    open.remove(id);
    end(cursor);
    return true;
  }

  /** Closes all cursors of a session. */
  public void killSession(Document lsid) {
    Value session = lsid.field("id");
    killAll(cursor -> cursor.owner().session().equals(session));
  }

  /** Closes all cursors of a transaction of a session. */
  public void killTransaction(Document lsid, long number) {
    Value session = lsid.field("id");
    Value transaction = Value.of(number);
    killAll(
        cursor ->
            cursor.owner().session().equals(session)
                && cursor.owner().transaction().equals(transaction));
  }

  /** How long a cursor may be idle. */
  public long idleNanos() {
    return idleNanos;
  }

  public void idleNanos(long nanos) {
    idleNanos = nanos;
  }

  /** Closes cursors that were idle for too long. */
  public void closeIdle() {
    long limit = ticker.getAsLong() - idleNanos;
    killAll(
        cursor -> {
          boolean idle = cursor.idleSince(limit);
          timedOut.add(idle ? 1 : 0);
          return idle;
        });
  }

  private void killAll(Predicate<OpenCursor> which) {
    open.values()
        .removeIf(
            cursor -> {
              boolean chosen = which.test(cursor);
              if (chosen) {
                end(cursor);
              }
              return chosen;
            });
  }

  /** Writes the counters of {@code serverStatus} for all registries of a server. */
  public static void writeCounts(List<Cursors> all, DocumentWriter reply) {
    List<OpenCursor> open = all.stream().flatMap(one -> one.open.values().stream()).toList();
    reply
        .startDocument("cursor")
        .put("timedOut", all.stream().mapToLong(one -> one.timedOut.sum()).sum())
        .startDocument("open")
        .put("noTimeout", open.stream().filter(OpenCursor::hasNoTimeout).count())
        .put("pinned", open.stream().filter(OpenCursor::isInUse).count())
        .put("total", (long) open.size())
        .end()
        .end();
  }

  /** The number of open cursors. */
  public int size() {
    return open.size();
  }

  @Override
  public void close() {
    open.values().forEach(this::end);
    open.clear();
  }
}
