package dev.mayfly.cluster;

import dev.mayfly.store.MemberRow;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The other servers of a cluster, as their rows name them. Safe for many threads. */
final class Peers implements AutoCloseable {
  private final UUID self;
  private final ClusterClock clock;
  private final LongSupplier ticker;
  private final Map<UUID, RemotePeer> byId = new ConcurrentHashMap<>();
  private volatile List<MemberRow> rows = List.of();

  Peers(UUID self, ClusterClock clock, LongSupplier ticker) {
    this.self = self;
    this.clock = clock;
    this.ticker = ticker;
  }

  static Member member(MemberRow row) {
    return new Member(
        row.server(),
        row.slot(),
        row.name(),
        row.mongo(),
        row.cosmos().isEmpty() ? Optional.empty() : Optional.of(row.cosmos()),
        row.version());
  }

  /** Follows the rows of members that were read: connects to new ones, drops those that left. */
  void follow(Collection<MemberRow> read, PeerTls tls) {
    Set<UUID> ids = new HashSet<>();
    for (MemberRow row : read) {
      ids.add(row.server());
      boolean isReachable = row.fingerprint().length > 0;
      if (isReachable && !row.server().equals(self)) {
        byId.computeIfAbsent(row.server(), _ -> peer(row, tls)).update(member(row));
      }
    }
    rows = List.copyOf(read);
    byId.values()
        .removeIf(
            peer -> {
              boolean left = !ids.contains(peer.member().id());
              if (left) {
                peer.close();
              }
              return left;
            });
  }

  /** Gives up the requests at servers that give no sign of life, such as suspended ones. */
  void giveUpSilent(Set<UUID> live) {
    byId.forEach(
        (id, peer) -> {
          if (!live.contains(id)) {
            peer.giveUpAll();
          }
        });
  }

  private RemotePeer peer(MemberRow row, PeerTls tls) {
    int colon = row.peer().lastIndexOf(':');
    RemotePeer.Address address =
        new RemotePeer.Address(
            row.peer().substring(0, Math.max(colon, 0)),
            Integer.parseInt(row.peer().substring(colon + 1)),
            row.fingerprint());
    return new RemotePeer(member(row), address, tls, clock, ticker);
  }

  /** Returns the member with the fingerprint of a certificate. */
  Optional<Member> withFingerprint(byte[] fingerprint) {
    return rows.stream()
        .filter(row -> Arrays.equals(row.fingerprint(), fingerprint))
        .findFirst()
        .map(Peers::member);
  }

  @Nullable RemotePeer of(UUID server) {
    return byId.get(server);
  }

  /** Returns the peers among these servers, in the order of their slots. */
  List<Peer> among(Set<UUID> servers) {
    return byId.values().stream()
        .filter(peer -> servers.contains(peer.member().id()))
        .sorted(Comparator.comparingInt(peer -> peer.member().slot()))
        .map(Peer.class::cast)
        .toList();
  }

  @Override
  public void close() {
    byId.values().forEach(RemotePeer::close);
  }
}
