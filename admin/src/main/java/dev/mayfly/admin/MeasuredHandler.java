package dev.mayfly.admin;

import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.http.Handler;
import dev.mayfly.http.PendingReply;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.metrics.Metrics;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/** Measures requests of the Cosmos door: metrics and slow request log. */
final class MeasuredHandler implements Handler {
  private static final int FIRST_ERROR = 400;
  private static final Set<String> METHODS = Set.of("GET", "POST", "PUT", "PATCH", "DELETE");

  private final Handler door;
  private final Metrics metrics;
  private final LongSupplier ticker;
  private final SlowRequests slow;

  MeasuredHandler(Handler door, Metrics metrics, LongSupplier ticker, SlowRequests slow) {
    this.door = door;
    this.metrics = metrics;
    this.ticker = ticker;
    this.slow = slow;
  }

  @Override
  public Reply handle(Request request) {
    long start = ticker.getAsLong();
    Reply reply = door.handle(request);
    record(request, reply, start);
    return reply;
  }

  /** A request that would block is measured in {@link #handle}. */
  @Override
  public Optional<Reply> tryHandle(Request request) {
    long start = ticker.getAsLong();
    Optional<Reply> reply = door.tryHandle(request);
    reply.ifPresent(done -> record(request, done, start));
    return reply;
  }

  /** A pending reply is measured until it is complete. */
  @Override
  public Optional<PendingReply> tryBegin(Request request) {
    long start = ticker.getAsLong();
    return door.tryBegin(request).map(pending -> new MeasuredPending(request, pending, start));
  }

  private final class MeasuredPending implements PendingReply {
    private final Request request;
    private final PendingReply pending;
    private final long start;

    MeasuredPending(Request request, PendingReply pending, long start) {
      this.request = request;
      this.pending = pending;
      this.start = start;
    }

    @Override
    public boolean tryComplete() {
      return pending.tryComplete();
    }

    @Override
    public boolean tryFlush() {
      return pending.tryFlush();
    }

    @Override
    public boolean wakeAfterFlush(Runnable wake) {
      return pending.wakeAfterFlush(wake);
    }

    @Override
    public Reply reply() {
      Reply reply = pending.reply();
      record(request, reply, start);
      return reply;
    }
  }

  private void record(Request request, Reply reply, long start) {
    String kind = kind(request);
    long nanos = ticker.getAsLong() - start;
    metrics.operation("cosmos", kind, reply.status() < FIRST_ERROR, nanos);
    slow.log(request, kind, reply, nanos);
    String units = reply.header(HeaderNames.CHARGE);
    if (units != null) {
      metrics.requestUnits(Double.parseDouble(units));
    }
  }

  /** Maps a request to one of a few operation names: each name is a time series. */
  private static String kind(Request request) {
    if (!METHODS.contains(request.method())) {
      return "other";
    }
    if (request.isTrue("x-ms-documentdb-isquery")) {
      return "query";
    }
    if (request.isTrue("x-ms-documentdb-is-upsert")) {
      return "upsert";
    }
    return request.method().toLowerCase(Locale.ROOT);
  }

  @Override
  public int maxBodyBytes(String target, int defaultBytes) {
    return door.maxBodyBytes(target, defaultBytes);
  }

  @Override
  public Reply refuse(int status, String reason) {
    return door.refuse(status, reason);
  }
}
