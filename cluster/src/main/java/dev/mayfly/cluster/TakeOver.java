package dev.mayfly.cluster;

import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Decides which cells this server claims: those that were given to it, and those without a living
 * owner. For the latter all servers compute the same order, by rendezvous hashing of cell and
 * server; the first claims at once, each further one a second later. For one thread.
 */
final class TakeOver {
  private static final long STAGGER_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final UUID self;
  private final Sightings sightings;

  /** Cells without an owner, and since when. */
  private Map<Integer, Long> ownerless = new HashMap<>();

  TakeOver(UUID self, Sightings sightings) {
    this.self = self;
    this.sightings = sightings;
  }

  /** A cell to claim. */
  record Claim(CellState expected, long floor) {}

  /**
   * Returns the cells to claim now.
   *
   * @param members all rows, also those of silent servers
   * @param held returns whether this server serves a cell under its lease, or is opening it
   * @param tick when the reading of the map began
   */
  List<Claim> claims(
      ClusterMap map, List<MemberRow> members, Predicate<CellState> held, long tick) {
    Map<Integer, Long> stillOwnerless = new HashMap<>();
    List<Claim> claims = new ArrayList<>();
    for (CellState cell : map.cells().values()) {
      Optional<UUID> owner = cell.owner();
      if (owner.isEmpty()) {
        long since = ownerless.getOrDefault(cell.cell(), tick);
        stillOwnerless.put(cell.cell(), since);
        if (isMyTurn(map, cell.cell(), tick - since)) {
          claims.add(new Claim(cell, cell.floor()));
        }
      } else if (owner.get().equals(self)) {
        if (!held.test(cell)) {
          claims.add(new Claim(cell, cell.floor()));
        }
      } else if (sightings.isSilent(owner.get(), tick)
          && isMyTurn(map, cell.cell(), sightings.silentFor(owner.get(), tick))) {
        claims.add(new Claim(cell, Math.max(cell.floor(), until(members, owner.get()))));
      }
    }
    ownerless = stillOwnerless;
    return claims;
  }

  private static long until(List<MemberRow> members, UUID server) {
    return members.stream()
        .filter(row -> row.server().equals(server))
        .mapToLong(MemberRow::until)
        .max()
        .orElse(Long.MIN_VALUE);
  }

  private boolean isMyTurn(ClusterMap map, int cell, long waited) {
    List<UUID> order = order(map, cell);
    int rank = order.indexOf(self);
    return rank >= 0 && waited >= rank * STAGGER_NANOS;
  }

  /** Returns the servers in the order in which they claim a cell. */
  static List<UUID> order(ClusterMap map, int cell) {
    return map.takers().stream()
        .map(MemberRow::server)
        .sorted(
            (a, b) -> {
              int byWeight = Long.compareUnsigned(weight(b, cell), weight(a, cell));
              return byWeight != 0 ? byWeight : a.compareTo(b);
            })
        .toList();
  }

  /** Rendezvous weight: a hash of server and cell (the finalizer of MurmurHash3). */
  private static long weight(UUID server, int cell) {
    long hash =
        server.getMostSignificantBits() ^ Long.rotateLeft(server.getLeastSignificantBits(), 31);
    hash ^= cell * 0x9E3779B97F4A7C15L;
    hash = (hash ^ hash >>> 33) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ hash >>> 33) * 0xC4CEB9FE1A85EC53L;
    return hash ^ hash >>> 33;
  }
}
