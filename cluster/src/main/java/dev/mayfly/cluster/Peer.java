package dev.mayfly.cluster;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Another server of the cluster. Safe for many threads. */
public interface Peer {
  Member member();

  /**
   * Sends a request and waits for its reply. Blocks; call it on a thread that may.
   *
   * @param limit how long to wait
   * @param abandoned called repeatedly while it waits; if it returns true the request is given up
   *     at both servers
   * @throws MovedException if that server does not serve the cell; it has done nothing
   * @throws PeerException if there is no reply; its reason says whether the request was sent
   */
  RelayMessage call(
      RelayKind kind, RelayMessage request, Duration limit, BooleanSupplier abandoned);
}
