package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Client;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Who is connected. Safe for many threads. */
public final class Clients {
  private final int most;
  private final Set<Client> connected = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();

  /**
   * Nobody is connected yet.
   *
   * @param most how many may be connected at a time
   */
  public Clients(int most) {
    this.most = most;
  }

  /** The number of the next connection; 0 when there is no room for it. */
  public long admit() {
    if (connected.size() >= most) {
      rejected.incrementAndGet();
      return 0;
    }
    return accepted.incrementAndGet();
  }

  public void add(Client client) {
    connected.add(client);
  }

  public void remove(Client client) {
    connected.remove(client);
  }

  /** All who are connected, in no order. */
  public List<Client> all() {
    return List.copyOf(connected);
  }

  int current() {
    return connected.size();
  }

  int available() {
    return Math.max(most - connected.size(), 0);
  }

  long accepted() {
    return accepted.get();
  }

  long rejected() {
    return rejected.get();
  }
}
