package dev.mayfly.mongo.cursor;

import dev.mayfly.mongo.command.ReadConcern;
import dev.mayfly.mongo.command.ReplyMemory;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The results of one command that have not all been given out yet.
 *
 * <p>Used by one request at a time; {@link Cursors} sees to that.
 */
public final class OpenCursor implements AutoCloseable {
  /** How many documents a first batch has unless its request says otherwise. */
  public static final long FIRST_BATCH = 101;

  private static final String BATCH_SIZE = "batchSize";

  /** A batch takes a document only while it stays below this, but always takes one. */
  private static final int MAX_BATCH_BYTES = 16 << 20;

  /** What an element of an array needs besides its document. */
  private static final int ELEMENT_BYTES = 10;

  /**
   * What a request and what was parsed from it take, as a multiple of its bytes. A long list of
   * numbers takes most: some 12 bytes each as sent, and an object of some 32 bytes besides.
   */
  private static final long PARSED_TIMES = 4;

  /** How long a request that waits goes without asking whether it is to stop. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String namespace;
  private final Rows rows;
  private final Caller caller;
  private final Request maker;
  private final Owner owner;
  private boolean keptWhileIdle;
  private boolean waits = true;

  /** A document that was found and is not given out yet. */
  private @Nullable Document pending;

  private boolean exhausted;

  /** From where to go on in front of the pending document. */
  private Optional<Document> token = Optional.empty();

  private long id;

  // Guarded by this.
  private boolean inUse = true;
  private boolean killed;
  private long usedAt;

  /**
   * A cursor over rows that it will close.
   *
   * @param caller its request owns the cursor
   */
  public OpenCursor(String namespace, Rows rows, Caller caller) {
    this.namespace = namespace;
    this.rows = rows;
    this.caller = caller;
    this.maker = caller.current();
    this.owner = Owner.of(maker);
  }

  /** Has it stay open however long nobody asks for more. */
  public OpenCursor keptWhileIdle(boolean kept) {
    keptWhileIdle = kept;
    return this;
  }

  /** Whether it stays open however long nobody asks for more. */
  boolean isKeptWhileIdle() {
    return keptWhileIdle;
  }

  /** Has requests for more wait, or not, while there is nothing new. */
  public OpenCursor waiting(boolean wait) {
    waits = wait;
    return this;
  }

  /** The number that the client knows it by; 0 as long as it has none. */
  public long id() {
    return id;
  }

  public String namespace() {
    return namespace;
  }

  Owner owner() {
    return owner;
  }

  /** The request that made it. */
  public Request maker() {
    return maker;
  }

  /** How many documents the {@code cursor} of a request wants first. */
  public static long firstBatch(Request request, long otherwise) {
    Section cursor = new Section("cursor", request.document("cursor")).allow(Set.of(BATCH_SIZE));
    long batch = cursor.has(BATCH_SIZE) ? cursor.number(BATCH_SIZE) : otherwise;
    if (batch < 0) {
      throw CommandException.outOfBounds(BATCH_SIZE, ">= 0", batch);
    }
    return batch;
  }

  /** True when the rows may go on after a pause. */
  private boolean tailing() {
    return rows instanceof Tail tail && !tail.ended();
  }

  /**
   * Writes the array of a batch.
   *
   * @param array its name in the reply
   * @param most how many documents at most
   * @param single whether there is to be no batch after it
   * @return true when there may be more
   */
  boolean fill(Request request, DocumentWriter reply, String array, long most, boolean single) {
    caller.is(request);
    reply.startArray(array);
    long bytes = 0;
    long count = 0;
    while (count < most && fetch()) {
      Document next = fetched();
      bytes += next.length() + ELEMENT_BYTES;
      if (count > 0 && (bytes > MAX_BATCH_BYTES || (!single && !grows(request, bytes)))) {
        break;
      }
      if (single) {
        ReplyMemory.awaitGrowing(request, bytes);
      } else if (count == 0) {
        ReplyMemory.await(request, bytes);
      }
      reply.add(Value.of(next));
      pending = null;
      count++;
      request.check();
    }
    reply.end();
    request.operation().returns(count);
    // Nothing is looked for before somebody has asked for a document.
    return most == 0 || fetch() || tailing();
  }

  /**
   * Whether a batch may grow. It ends early when memory for replies is used up: the client asks for
   * the rest. The only batch of a cursor waits instead.
   */
  private static boolean grows(Request request, long bytes) {
    return request.client().replyMemory().growReply(bytes);
  }

  /** Has the next document at hand, if there is one. */
  private boolean fetch() {
    if (pending == null && !exhausted) {
      token = token();
      pending = rows.next() ? rows.current() : null;
      exhausted = pending == null && !(rows instanceof Tail);
    }
    return pending != null;
  }

  private Optional<Document> token() {
    return rows instanceof Tail tail ? tail.resumeToken() : Optional.empty();
  }

  private Document fetched() {
    return Objects.requireNonNull(pending);
  }

  /** Whether a driver can go on elsewhere by what it was told last. */
  boolean isChangeStream() {
    return token().isPresent();
  }

  /** Whether it waits for what is not there yet. */
  boolean isAwaiting() {
    return waits && rows instanceof Tail;
  }

  /**
   * Waits until there is another document, in vain for at most so long. Does nothing when the rows
   * do not go on after their end.
   */
  void await(Request request, long nanos) {
    caller.is(request);
    if (!waits || !(rows instanceof Tail tail)) {
      return;
    }
    long left = nanos;
    while (left > 0 && !fetch() && !tail.ended() && !isKilled()) {
      request.check();
      long slice = Math.min(left, SLICE_NANOS);
      long began = request.operation().runningNanos();
      boolean came = request.operation().waits(() -> tail.await(slice));
      // what came may be nothing for this cursor, which then goes on waiting
      left -= came ? request.operation().runningNanos() - began : slice;
    }
  }

  /** About how many bytes of memory it keeps until its next request. */
  long heldBytes() {
    long document = pending == null ? 0 : pending.length();
    long listed = rows instanceof Rows.Listed list ? list.bytes() : 0;
    return document + listed + PARSED_TIMES * maker.length();
  }

  /** Writes what a reply says of a cursor besides its batch. */
  void describe(DocumentWriter reply) {
    Optional<Document> behind = pending == null ? token() : token;
    behind.ifPresent(given -> reply.put("postBatchResumeToken", given));
    ReadConcern.report(caller.current(), reply);
    reply.put("id", id).put("ns", namespace);
  }

  void id(long given) {
    id = given;
  }

  /** Takes it for one request; false when another has it or it is gone. */
  synchronized boolean take() {
    if (inUse || killed) {
      return false;
    }
    inUse = true;
    return true;
  }

  /** Ends one request's use at an instant; closes it when it was killed meanwhile. */
  synchronized void giveBack(long now) {
    inUse = false;
    usedAt = now;
    if (killed) {
      close();
    }
  }

  /** Closes it now, or as soon as the request that has it is done. */
  synchronized void kill() {
    killed = true;
    if (!inUse) {
      close();
    }
  }

  synchronized boolean isKilled() {
    return killed;
  }

  synchronized boolean isInUse() {
    return inUse;
  }

  synchronized boolean idleSince(long instant) {
    return !inUse && !keptWhileIdle && usedAt - instant < 0;
  }

  @Override
  public void close() {
    rows.close();
  }
}
