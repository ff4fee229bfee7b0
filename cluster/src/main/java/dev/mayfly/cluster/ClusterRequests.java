package dev.mayfly.cluster;

import dev.mayfly.store.ReferenceClock;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Requests of the cluster itself: give and take cells, compare clocks. Safe for many threads. */
final class ClusterRequests implements RelayHandler {
  private static final Duration CLOCK_LIMIT = Duration.ofSeconds(1);
  private static final Duration TAKE_LIMIT = Duration.ofSeconds(10);
  private static final Duration MOVE_LIMIT = Duration.ofSeconds(30);
  private static final byte[] NOTHING = {};

  private final SharedCells cells;

  ClusterRequests(SharedCells cells) {
    this.cells = cells;
  }

  private static Document call(Peer peer, Document request, Duration limit) {
    return peer.call(RelayKind.CLUSTER, new RelayMessage(request, NOTHING), limit, () -> false)
        .header();
  }

  /** Returns the system clock of another server. */
  static ReferenceClock clockOf(Peer peer) {
    return new ReferenceClock() {
      @Override
      public String name() {
        return peer.member().name();
      }

      @Override
      public long read() {
        Document request = Document.writer().put("command", "clock").build();
        return call(peer, request, CLOCK_LIMIT).field("time").asLong();
      }
    };
  }

  /** Has a server open a cell that it was given. It finds that out by itself, but later. */
  static void take(Peer peer, int cell) {
    try {
      var _ =
          call(
              peer, Document.writer().put("command", "take").put("cell", cell).build(), TAKE_LIMIT);
    } catch (PeerException | MovedException unreachable) {
      System.getLogger(ClusterRequests.class.getName())
          .log(System.Logger.Level.DEBUG, "a cell was given to an unreachable server", unreachable);
    }
  }

  /** Has the owner of a cell hand it over to the server with a slot. */
  static void move(Peer peer, int cell, int slot) {
    var _ =
        call(
            peer,
            Document.writer().put("command", "move").put("cell", cell).put("slot", slot).build(),
            MOVE_LIMIT);
  }

  /** Has a server hand over all its cells and take none, or take cells again. */
  static void drain(Peer peer, boolean on) {
    var _ = call(peer, Document.writer().put("command", "drain").put("on", on).build(), MOVE_LIMIT);
  }

  @Override
  public RelayMessage answer(Member from, RelayMessage request, BooleanSupplier abandoned) {
    Document header = request.header();
    Document reply =
        switch (header.field("command").asString()) {
          case "clock" -> Document.writer().put("time", cells.clock().systemTime()).build();
          case "take" -> {
            int cell = header.field("cell").asInt();
            yield Document.writer().put("served", cells.awaitGiven(cell, TAKE_LIMIT)).build();
          }
          case "move" -> {
            cells.move(header.field("cell").asInt(), header.field("slot").asInt());
            yield Document.EMPTY;
          }
          case "drain" -> {
            cells.drain(cells.self().slot(), header.field("on").asBoolean());
            yield Document.EMPTY;
          }
          default -> throw new IllegalArgumentException("an unknown request of the cluster");
        };
    return new RelayMessage(reply, NOTHING);
  }
}
