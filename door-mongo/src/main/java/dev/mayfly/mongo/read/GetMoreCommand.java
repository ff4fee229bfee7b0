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

/** {@code getMore}: the next batch of a cursor. */
public final class GetMoreCommand implements Command {
  private static final Set<String> FIELDS = Set.of("collection", "batchSize", "term");
  private static final long DEFAULT_WAIT_MILLIS = 1000;

  private final Cursors cursors;
  private final BiConsumer<Request, Request> allowed;
  private final Consumer<Request> found;

  /**
   * The command.
   *
   * @param allowed is given the request that made a cursor and the one that wants more of it, and
   *     refuses what its client may no longer have
   * @param found is told of each request whose cursor is there, before that goes on
   */
  public GetMoreCommand(
      Cursors cursors, BiConsumer<Request, Request> allowed, Consumer<Request> found) {
    this.cursors = cursors;
    this.allowed = allowed;
    this.found = found;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (request.target().type() != Type.INT64) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH, "Field 'getMore' must be of type long in: getMore command");
    }
    long batch = request.count("batchSize", 0);
    // For a cursor that waits, the time limit is how long it may wait.
    long wait = request.count("maxTimeMS", DEFAULT_WAIT_MILLIS);
    OpenCursor cursor = cursors.find(request, request.target().asLong());
    allowed.accept(cursor.maker(), request);
    cursors.goOn(
        request,
        reply,
        cursor,
        batch == 0 ? Long.MAX_VALUE : batch,
        TimeUnit.MILLISECONDS.toNanos(wait),
        found);
  }
}
