package dev.mayfly.mongo;

import dev.mayfly.cluster.Admission;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayKind;
import dev.mayfly.cluster.Route;
import dev.mayfly.cluster.Router;
import dev.mayfly.mongo.command.HomeCopy;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * Keeps the users, roles, default concerns and write block mode of this server those of the home
 * cell while another server serves it. Thread-safe.
 */
final class HomeFollower {
  /** Field of the request: the digest of the copy that this server has. */
  static final String DIGEST = "digest";

  private static final System.Logger LOG = System.getLogger(HomeFollower.class.getName());
  private static final Duration LIMIT = Duration.ofSeconds(1);
  private static final RelayRequest.Sender NOBODY =
      new RelayRequest.Sender("", "", true, Optional.empty(), Document.EMPTY);

  private final Cells cells;
  private final CellBackends backends;

  HomeFollower(Cells cells, CellBackends backends) {
    this.cells = cells;
    this.backends = backends;
  }

  /** Waits for the first copy, for as long as a request would wait for the home cell. */
  void start(Router router) {
    try {
      boolean _ =
          router.run(
              cells::home,
              new Router.Operation<Boolean>() {
                @Override
                public Boolean here(Cell cell) {
                  return true;
                }

                @Override
                public Boolean there(Peer peer, int cell) {
                  load(peer);
                  return true;
                }

                @Override
                public Boolean nowhere() {
                  return false;
                }

                @Override
                public boolean isRepeatable() {
                  return true;
                }
              });
    } catch (MovedException | PeerException failure) {
      LOG.log(
          System.Logger.Level.WARNING,
          "users are not known yet: the home cell cannot be reached",
          failure);
    }
  }

  /** Refreshes the copy. Called twice a second, and after each command that changes users. */
  void refresh() {
    try {
      switch (cells.home()) {
        case Route.Here here -> followOwn(here.cell());
        case Route.There there -> load(there.peer());
        case Route.Nowhere _, Route.Orphaned _ -> {}
      }
    } catch (MovedException | PeerException failure) {
      LOG.log(System.Logger.Level.DEBUG, "the home cell cannot be reached, will retry", failure);
    }
  }

  private void followOwn(Cell home) {
    try (Admission _ = home.admit()) {
      backends.followOwn(home.engine());
    }
  }

  /** One at a time, so that an older copy does not replace a newer one. */
  private synchronized void load(Peer peer) {
    String digest = backends.copy().map(HomeCopy::digest).orElse("");
    Message.Call call =
        new Message.Call(
            0,
            Compressor.NOOP,
            false,
            false,
            Document.writer().put("homeCopy", 1).put(DIGEST, digest).put("$db", "admin").build(),
            Map.of());
    Document copy =
        RelayReply.of(
                peer.call(
                    RelayKind.MONGO,
                    new RelayRequest(RelayRequest.Target.HOME_COPY, Cell.HOME, NOBODY, call)
                        .toMessage(),
                    LIMIT,
                    () -> false))
            .body();
    if (!copy.isEmpty()) {
      backends.follow(new HomeCopy(copy));
    }
  }
}
