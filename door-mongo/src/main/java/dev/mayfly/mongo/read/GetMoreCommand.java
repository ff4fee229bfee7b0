package dev.mayfly.mongo.read;

import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** {@code getMore}: returns the next batch of a cursor. */
public final class GetMoreCommand implements Command {
  private static final Set<String> FIELDS = Set.of("collection", "batchSize", "term");
  private static final long DEFAULT_WAIT_MILLIS = 1000;

  private final Cursors cursors;
  private final BiConsumer<Request, Request> authorize;
  private final Consumer<Request> beforeBatch;

  /**
   * The command.
   *
   * @param authorize called with the request that created the cursor and the getMore; fails if the
   *     client no longer has the privileges
   * @param beforeBatch called with each request whose cursor was found, before the next batch
   */
  public GetMoreCommand(
      Cursors cursors, BiConsumer<Request, Request> authorize, Consumer<Request> beforeBatch) {
    this.cursors = cursors;
    this.authorize = authorize;
    this.beforeBatch = beforeBatch;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (request.target().type() != Type.INT64) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "Field 'getMore' must be of type long in: getMore command");
    }
    long batch = request.count("batchSize", 0);
    // for an awaitData cursor maxTimeMS limits the wait
    long wait = request.count("maxTimeMS", DEFAULT_WAIT_MILLIS);
    OpenCursor cursor = cursors.find(request, request.target().asLong());
    authorize.accept(cursor.creator(), request);
    cursors.nextBatch(
        request,
        reply,
        cursor,
        batch == 0 ? Long.MAX_VALUE : batch,
        TimeUnit.MILLISECONDS.toNanos(wait),
        beforeBatch);
  }
}
