package dev.mayfly.cluster;

import java.util.function.BooleanSupplier;

/** What answers requests that other servers relay. Called by many threads, which may block. */
@FunctionalInterface
public interface RelayHandler {
  /**
   * Answers a request.
   *
   * @param from the server that relays it
   * @param abandoned returns whether nobody waits for the reply any more
   * @throws MovedException if this server does not serve the cell and nothing was done; the other
   *     server then looks for its new owner
   */
  RelayMessage answer(Member from, RelayMessage request, BooleanSupplier abandoned);
}
