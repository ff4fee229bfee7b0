package dev.mayfly.cosmos.rest;

import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A request being answered: where it goes, when it came, and what it has cost. One thread. */
public final class Exchange {
  private final Request request;
  private final Address address;
  private final long now;
  private final String activityId;
  private final Optional<PendingCommit> pledge;
  private @Nullable Map<String, String> headers;
  private double charged;

  /** One that may take its time. */
  public Exchange(Request request, Address address, long now, String activityId) {
    this(request, address, now, activityId, Optional.empty());
  }

  /**
   * An exchange.
   *
   * @param pledge for one that must not wait: what it writes is promised by this, and it is given
   *     up with {@link WouldBlock} when it had to wait
   */
  public Exchange(
      Request request,
      Address address,
      long now,
      String activityId,
      Optional<PendingCommit> pledge) {
    this.request = request;
    this.address = address;
    this.now = now;
    this.activityId = activityId;
    this.pledge = pledge;
  }

  /** By what it promises its writes, when it must not wait. */
  public Optional<PendingCommit> pledge() {
    return pledge;
  }

  /** Whether it may wait for a disk, or for others. */
  public boolean patient() {
    return pledge.isEmpty();
  }

  public Request request() {
    return request;
  }

  public Address address() {
    return address;
  }

  /** Epoch milliseconds at which it came. */
  public long now() {
    return now;
  }

  /** What the client or we call this request. */
  public String activityId() {
    return activityId;
  }

  /** Adds to what it costs. */
  public void charge(double units) {
    charged += units;
  }

  /** What it costs so far, in request units. */
  public double charged() {
    return charged;
  }

  /** Says that the reply, also a refusal, shall have a header. */
  public void header(String name, String value) {
    if (headers == null) {
      headers = new LinkedHashMap<>();
    }
    headers.put(name, value);
  }

  /** Puts what was said here on the reply. */
  public Reply finish(Reply reply) {
    if (headers != null) {
      headers.forEach(reply::header);
    }
    return reply;
  }
}
