package dev.mayfly.mongo.cursor;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.query.pipeline.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The results of one command that have not all been given out yet.
 *
 * <p>Used by one request at a time; {@link Cursors} sees to that.
 */
public final class OpenCursor implements AutoCloseable {
  /** How many documents a first batch has unless its request says otherwise. */
  public static final long FIRST_BATCH = 101;

  /** A batch takes a document only while it stays below this, but always takes one. */
  private static final int MAX_BATCH_BYTES = 16 << 20;

  /** What an element of an array needs besides its document. */
  private static final int ELEMENT_BYTES = 10;

  private final String namespace;
  private final Rows rows;
  private final Caller caller;
  private final Optional<Document> session;
  private final boolean keptWhileIdle;
  private @Nullable Document pending;
  private long id;

  // Guarded by this.
  private boolean inUse = true;
  private boolean killed;
  private long usedAt;

  /**
   * A cursor over rows that it will close.
   *
   * @param caller what the rows ask whether they may go on
   * @param keptWhileIdle whether it stays open however long nobody asks for more
   */
  public OpenCursor(
      String namespace,
      Rows rows,
      Caller caller,
      Optional<Document> session,
      boolean keptWhileIdle) {
    this.namespace = namespace;
    this.rows = rows;
    this.caller = caller;
    this.session = session;
    this.keptWhileIdle = keptWhileIdle;
  }

  /** The number that the client knows it by; 0 as long as it has none. */
  public long id() {
    return id;
  }

  public String namespace() {
    return namespace;
  }

  Optional<Document> session() {
    return session;
  }

  /** True when the rows may go on after a pause. */
  public boolean tailing() {
    return rows instanceof Tail tail && !tail.ended();
  }

  /**
   * Writes the array of a batch.
   *
   * @param array its name in the reply
   * @param most how many documents at most
   * @return true when there may be more
   */
  public boolean fill(Request request, DocumentWriter reply, String array, long most) {
    caller.is(request);
    reply.startArray(array);
    long bytes = 0;
    long count = 0;
    boolean more = true;
    while (count < most) {
      Document next = pending != null ? pending : advance();
      pending = null;
      if (next == null) {
        more = tailing();
        break;
      }
      bytes += next.length() + ELEMENT_BYTES;
      if (bytes > MAX_BATCH_BYTES && count > 0) {
        pending = next;
        break;
      }
      reply.add(Value.of(next));
      count++;
      request.check();
    }
    reply.end();
    return more;
  }

  private @Nullable Document advance() {
    return rows.next() ? rows.current() : null;
  }

  /** Waits until the rows may go on; does nothing when a document is at hand. */
  public void await(long nanos) {
    if (pending != null || !(rows instanceof Tail tail)) {
      return;
    }
    if (rows.next()) {
      pending = rows.current();
    } else if (tail.await(nanos) && rows.next()) {
      pending = rows.current();
    }
  }

  /** Writes what a reply says of a cursor besides its batch. */
  public void describe(DocumentWriter reply) {
    if (rows instanceof Tail tail) {
      tail.resumeToken().ifPresent(token -> reply.put("postBatchResumeToken", token));
    }
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

  synchronized boolean idleSince(long instant) {
    return !inUse && !keptWhileIdle && usedAt - instant < 0;
  }

  @Override
  public void close() {
    rows.close();
  }
}
