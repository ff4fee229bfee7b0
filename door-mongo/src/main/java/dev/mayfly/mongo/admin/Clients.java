package dev.mayfly.mongo.admin;

import dev.mayfly.mongo.command.Client;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Registry of the connected clients of a server, with a limit. Thread-safe. */
public final class Clients {
  private final int max;
  private final Set<Client> connected = ConcurrentHashMap.newKeySet();
  private final AtomicLong accepted = new AtomicLong();
  private final AtomicLong rejected = new AtomicLong();

  /**
   * A registry without clients.
   *
   * @param max the maximum number of clients at a time
   */
  public Clients(int max) {
    this.max = max;
  }

  /** Returns the id of the next connection, or 0 if the limit is reached. */
  public long admit() {
    if (connected.size() >= max) {
      rejected.incrementAndGet();
      return 0;
    }
    return accepted.incrementAndGet();
  }

  /** Returns the id for a client in this process, which the limit does not concern. */
  public long inProcess() {
    return accepted.incrementAndGet();
  }

  public void add(Client client) {
    connected.add(client);
  }

  public void remove(Client client) {
    connected.remove(client);
  }

  /** Returns all connected clients, in no order. */
  public List<Client> all() {
    return List.copyOf(connected);
  }

  int current() {
    return connected.size();
  }

  int available() {
    return Math.max(max - connected.size(), 0);
  }

  long accepted() {
    return accepted.get();
  }

  long rejected() {
    return rejected.get();
  }
}
