package dev.mayfly.cosmos.rest;

import dev.mayfly.cosmos.http.Reply;
import dev.mayfly.cosmos.http.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request being answered: where it goes, when it came, and what it has cost. One thread. */
public final class Exchange {
  private final Request request;
  private final Address address;
  private final long now;
  private final String activityId;
  private final boolean patient;
  private @Nullable Map<String, String> headers;
  private double charged;

  /** One that may take its time. */
  public Exchange(Request request, Address address, long now, String activityId) {
    this(request, address, now, activityId, true);
  }

  /**
   * An exchange.
   *
   * @param patient whether it may wait; else it is given up with {@link Later} when it had to
   */
  public Exchange(Request request, Address address, long now, String activityId, boolean patient) {
    this.request = request;
    this.address = address;
    this.now = now;
    this.activityId = activityId;
    this.patient = patient;
  }

  /** Whether it may wait for a disk. */
  public boolean patient() {
    return patient;
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
