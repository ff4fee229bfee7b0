package dev.mayfly.cosmos.rest;

import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.query.limit.Interrupt;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Context of one request: its address, its time, its request charge so far, and the headers of its
 * reply. For one thread.
 */
public final class Exchange implements OperationContext {
  private final Request request;
  private final Address address;
  private final LongSupplier clock;
  private final String activityId;
  private final Optional<PendingCommit> pending;
  private @Nullable Map<String, String> headers;
  private long now;
  private double charged;

  /** Creates an exchange that may block. */
  public Exchange(Request request, Address address, LongSupplier clock, String activityId) {
    this(request, address, clock, activityId, Optional.empty());
  }

  /**
   * Creates an exchange.
   *
   * @param clock the time of the engine in epoch milliseconds: read once, now
   * @param pending commit that writes are added to, on the event loop; a request that would have to
   *     wait fails with {@link WouldBlock}. Empty for a request that may block
   */
  public Exchange(
      Request request,
      Address address,
      LongSupplier clock,
      String activityId,
      Optional<PendingCommit> pending) {
    this.request = request;
    this.address = address;
    this.clock = clock;
    this.now = clock.getAsLong();
    this.activityId = activityId;
    this.pending = pending;
  }

  /** Returns the commit that writes are added to; empty for a request that may block. */
  @Override
  public Optional<PendingCommit> pending() {
    return pending;
  }

  /** Whether the request may block, for a disk or a lock. */
  public boolean mayBlock() {
    return pending.isEmpty();
  }

  public Request request() {
    return request;
  }

  public Address address() {
    return address;
  }

  /** Returns the time of the request in epoch milliseconds, which all its operations use. */
  @Override
  public long now() {
    return now;
  }

  @Override
  public long renew() {
    now = clock.getAsLong();
    return now;
  }

  /** Fails if the client has disconnected. */
  @Override
  public void check() {
    Interrupt.request().run();
  }

  /** Returns the id that the client or the server gave to this request. */
  public String activityId() {
    return activityId;
  }

  /** Adds request units to the charge. */
  public void charge(double units) {
    charged += units;
  }

  /** Returns the charge so far in request units. */
  public double charged() {
    return charged;
  }

  /** Sets a header of the reply, also of an error reply. */
  public void header(String name, String value) {
    if (headers == null) {
      headers = new LinkedHashMap<>();
    }
    headers.put(name, value);
  }

  /** Adds the headers to the reply. */
  public Reply finish(Reply reply) {
    if (headers != null) {
      headers.forEach(reply::header);
    }
    return reply;
  }
}
