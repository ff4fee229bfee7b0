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
 * Server-side cursor: the results of a command that have not all been returned.
 *
 * <p>For one request at a time, which {@link Cursors} ensures by {@link #acquire} and {@link
 * #release}. Owns its rows.
 */
public final class OpenCursor implements AutoCloseable {
  /** The default size of the first batch in documents. */
  public static final long FIRST_BATCH = 101;

  private static final String BATCH_SIZE = "batchSize";

  /** The maximum size of a batch; a batch of one document may be larger. */
  private static final int MAX_BATCH_BYTES = 16 << 20;

  /** The overhead of an array element. */
  private static final int ELEMENT_BYTES = 10;

  /**
   * The memory of a request and of the objects parsed from it, as a multiple of its bytes. The
   * worst case is a long list of numbers: about 12 bytes each as sent, and an object of about 32
   * bytes.
   */
  private static final long PARSED_TIMES = 4;

  /** How long a request waits between two checks whether it was stopped. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final String namespace;
  private final Rows rows;
  private final Caller caller;
  private final Request creator;
  private final Owner owner;
  private boolean noTimeout;
  private boolean waits = true;

  /** A document that was fetched and not returned yet. */
  private @Nullable Document pending;

  private boolean exhausted;

  /** The resume token before the pending document. */
  private Optional<Document> token = Optional.empty();

  private long id;

  // Guarded by this.
  private boolean inUse = true;
  private boolean killed;
  private long usedAt;

  /**
   * A cursor over rows, which it closes.
   *
   * @param caller its current request creates and owns the cursor
   */
  public OpenCursor(String namespace, Rows rows, Caller caller) {
    this.namespace = namespace;
    this.rows = rows;
    this.caller = caller;
    this.creator = caller.current();
    this.owner = Owner.of(creator);
  }

  /** Sets noCursorTimeout: an idle cursor stays open. */
  public OpenCursor noTimeout(boolean kept) {
    noTimeout = kept;
    return this;
  }

  /** Whether the cursor stays open while it is idle. */
  boolean hasNoTimeout() {
    return noTimeout;
  }

  /** Sets whether a getMore on a tailable cursor waits for new documents. */
  public OpenCursor awaitData(boolean wait) {
    waits = wait;
    return this;
  }

  /** The cursor id; 0 if it is not registered. */
  public long id() {
    return id;
  }

  public String namespace() {
    return namespace;
  }

  Owner owner() {
    return owner;
  }

  /** The request that created the cursor. */
  public Request creator() {
    return creator;
  }

  /** The {@code batchSize} in the {@code cursor} option of a request. */
  public static long firstBatch(Request request, long otherwise) {
    Section cursor = new Section("cursor", request.document("cursor")).allow(Set.of(BATCH_SIZE));
    long batch = cursor.has(BATCH_SIZE) ? cursor.number(BATCH_SIZE) : otherwise;
    if (batch < 0) {
      throw CommandException.outOfBounds(BATCH_SIZE, ">= 0", batch);
    }
    return batch;
  }

  /** Whether it is tailable and more rows may follow. */
  private boolean tailing() {
    return rows instanceof Tail tail && !tail.ended();
  }

  /**
   * Writes a batch.
   *
   * @param array its name in the reply
   * @param most the maximum number of documents
   * @param single whether this is the only batch
   * @return whether there may be more documents
   */
  boolean fill(Request request, DocumentWriter reply, String array, long most, boolean single) {
    begin(request);
    reply.startArray(array);
    long bytes = 0;
    long count = 0;
    while (count < most && fetch()) {
      Document next = fetched();
      bytes += next.length() + ELEMENT_BYTES;
      if (count > 0 && (bytes > MAX_BATCH_BYTES || (!single && !grows(request, bytes)))) {
        break;
      }
      if (count == 0 && ReplyMemory.isLarge(bytes) && isRepeatable(request)) {
        ReplyMemory.reserveOrRepeat(request, bytes);
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
    // a batch size of 0 does not run the query
    return most == 0 || fetch() || tailing();
  }

  /** Whether a request has done nothing but read: the first batch of a find. */
  private boolean isRepeatable(Request request) {
    return id == 0 && request.name().equals("find") && !request.has("autocommit");
  }

  private void begin(Request request) {
    caller.set(request);
    if (rows instanceof Tail tail) {
      tail.begin(request.operation());
    }
  }

  /**
   * Whether a batch may grow. It ends early if the memory for replies is used up, and the client
   * gets the rest by getMore. The batch of a single-batch cursor waits instead.
   */
  private static boolean grows(Request request, long bytes) {
    return request.client().replyMemory().growReply(bytes);
  }

  /** Fetches the next document unless one is pending; false if there is none. */
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

  /** Whether it is a change stream: its rows have resume tokens. */
  boolean isChangeStream() {
    return token().isPresent();
  }

  /** Whether a getMore waits for new documents. */
  boolean isAwaiting() {
    return waits && rows instanceof Tail;
  }

  /**
   * Waits at most this long for another document. Does nothing unless the cursor is tailable with
   * awaitData.
   */
  void await(Request request, long nanos) {
    begin(request);
    if (!waits || !(rows instanceof Tail tail)) {
      return;
    }
    long left = nanos;
    while (left > 0 && !fetch() && !tail.ended() && !isKilled()) {
      request.check();
      long slice = Math.min(left, SLICE_NANOS);
      long began = request.operation().runningNanos();
      boolean came = request.operation().waits(() -> tail.await(slice));
      // a new document may not match, so the wait continues with the remaining time
      left -= came ? request.operation().runningNanos() - began : slice;
    }
  }

  /** The approximate memory that it holds until the next getMore. */
  long heldBytes() {
    long document = pending == null ? 0 : pending.length();
    long listed = rows instanceof Rows.Listed list ? list.bytes() : 0;
    return document + listed + PARSED_TIMES * creator.length();
  }

  /** Writes the fields of the {@code cursor} document other than the batch. */
  void describe(DocumentWriter reply) {
    Optional<Document> afterBatch = pending == null ? token() : token;
    afterBatch.ifPresent(given -> reply.put("postBatchResumeToken", given));
    ReadConcern.report(caller.current(), reply);
    reply.put("id", id).put("ns", namespace);
  }

  void id(long given) {
    id = given;
  }

  /** Reserves the cursor for a request; false if it is in use or killed. */
  synchronized boolean acquire() {
    if (inUse || killed) {
      return false;
    }
    inUse = true;
    return true;
  }

  /** Ends the use by a request; closes the cursor if it was killed meanwhile. */
  synchronized void release(long now) {
    inUse = false;
    usedAt = now;
    if (killed) {
      close();
    }
  }

  /** Closes the cursor now, or after the request that uses it. */
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
    return !inUse && !noTimeout && usedAt - instant < 0;
  }

  @Override
  public void close() {
    rows.close();
  }
}
