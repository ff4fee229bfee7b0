package dev.mayfly.cosmos;

import dev.mayfly.cluster.Admission;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Member;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayKind;
import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.cluster.Route;
import dev.mayfly.cluster.Router;
import dev.mayfly.cosmos.auth.AuthResult;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Names;
import dev.mayfly.cosmos.rest.ResourceNumber;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Reply;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The backends of a cluster. A request goes to the cell of its database, at this server or, relayed
 * as a whole, at another one. Lists of databases and offers are joined over all cells.
 *
 * <p>Safe for many threads. Its backends are closed with their cells.
 */
final class ClusterBackends implements Backends {
  /** How long a relayed request may take. A client gives up earlier. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private final Cells cells;
  private final Router router;
  private final CellBackends served;
  private final JoinedFeeds joined;

  /** Cells of databases that this server has served; for the event loop, which must not wait. */
  private final Map<String, Cell> here = new ConcurrentHashMap<>();

  private ClusterBackends(Cells cells, CellBackends served, LongSupplier ticker, Clock wall) {
    this.cells = cells;
    this.router = new Router(cells, ticker);
    this.served = served;
    this.joined = new JoinedFeeds(wall);
  }

  /**
   * Opens the backends of all cells that this server serves, now and later, and answers what other
   * servers relay.
   */
  static ClusterBackends open(Cells cells, CellBackends served, LongSupplier ticker, Clock wall) {
    ClusterBackends backends = new ClusterBackends(cells, served, ticker, wall);
    cells.observe(served);
    cells.answer(RelayKind.COSMOS, backends::relayed);
    return backends;
  }

  @Override
  public boolean sharesCommits() {
    return false;
  }

  /** The account contains nothing that a permission protects: a valid token is enough. */
  @Override
  public void authorize(Call call) {}

  @Override
  public Reply answer(Call call) {
    if (call.pending().isPresent()) {
      return answerInline(call);
    }
    Address address = call.address();
    if (call.permission().isPresent()) {
      // a permission never covers a resource of another database
      return run(call, database(AuthResult.databaseOf(call.permission().get())));
    }
    if (address.byRid()) {
      return atCellWithRid(call);
    }
    if (!address.database().isEmpty()) {
      return run(call, database(address.database()));
    }
    return switch (Verb.of(call.request(), address)) {
      case LIST, QUERY -> joined.answer(call, this::atEveryCell);
      case CREATE -> run(call, newDatabase(call));
      default -> run(call, cells::home);
    };
  }

  /** A point read of a database that this server serves. */
  private Reply answerInline(Call call) {
    Cell cell = here.get(call.address().database());
    if (cell == null) {
      throw new WouldBlock();
    }
    try (Admission admission = cell.admit()) {
      Reply reply = served.answer(cell, call);
      if (admission.isValid()) {
        return reply;
      }
    } catch (MovedException | PeerException moved) {
      here.remove(call.address().database(), cell);
    }
    throw new WouldBlock();
  }

  /** A database that does not exist is absent in the home cell, too, which reports that. */
  private Supplier<Route> database(String id) {
    return () ->
        switch (cells.route(Metadata.PREFIX + id)) {
          case Route.Nowhere _ -> cells.home();
          case Route found -> found;
        };
  }

  /** An invalid id creates no cell. */
  private Supplier<Route> newDatabase(Call call) {
    if (call.address().type() != ResourceType.DATABASE) {
      return cells::home;
    }
    try {
      String id = Names.of(Json.parse(call.request().body(), Limits.COSMOS));
      return () -> cells.routeForWrite(Metadata.PREFIX + id);
    } catch (ValueException | CosmosException invalid) {
      return cells::home;
    }
  }

  /**
   * Tries the cell that a rid names, and then all others: a cell can have the databases of a
   * directory that was copied into it, and offers do not name their cell.
   */
  private Reply atCellWithRid(Call call) {
    int named = cellOf(call.address());
    Optional<Reply> first =
        cells.routeOf(named) instanceof Route.Orphaned
            ? Optional.empty()
            : Optional.of(run(call, () -> cells.routeOf(named)));
    if (first.isPresent() && isFound(first.get())) {
      return first.get();
    }
    return cells.numbers().stream()
        .filter(cell -> first.isEmpty() || cell != named)
        .map(cell -> run(call, () -> cells.routeOf(cell)))
        .filter(ClusterBackends::isFound)
        .findFirst()
        .or(() -> first)
        .orElseThrow(CosmosException::notFound);
  }

  private static boolean isFound(Reply reply) {
    return reply.status() != Status.NOT_FOUND.number();
  }

  private static int cellOf(Address address) {
    String database = address.database();
    Optional<Rid> rid = database.isEmpty() ? Rid.ofMedia(address.id()) : Rid.parse(database);
    return rid.map(Rid::databaseNumber).map(ResourceNumber::of).map(ResourceNumber::cell).orElse(0);
  }

  private List<Reply> atEveryCell(Call call) {
    return cells.numbers().stream().map(cell -> run(call, () -> cells.routeOf(cell))).toList();
  }

  private Reply run(Call call, Supplier<Route> route) {
    return router.run(route, new CallOperation(call));
  }

  /** Whether a request changes nothing, so that it can be sent again. */
  static boolean isRepeatable(Call call) {
    return switch (call.address().type()) {
      case FORECAST, LIVES, WARNINGS, WHAT_IF -> true;
      default -> Verb.of(call.request(), call.address()).reads();
    };
  }

  /** A request at the cell of its database. */
  private final class CallOperation implements Router.Operation<Reply> {
    private final Call call;

    CallOperation(Call call) {
      this.call = call;
    }

    @Override
    public Reply here(Cell cell) {
      Reply reply = served.answer(cell, call);
      if (!call.address().byRid() && served.hasDatabase(cell, call)) {
        here.put(call.address().database(), cell);
      }
      return reply;
    }

    @Override
    public Reply there(Peer peer, int cell) {
      RelayMessage answer =
          peer.call(
              RelayKind.COSMOS,
              new RelayedCall(cell, call).message(),
              LIMIT,
              call.request()::abandoned);
      return RelayedCall.reply(answer)
          .orElseThrow(
              () ->
                  new PeerException(
                      PeerException.Reason.LOST, "the other server has lost the cell", null));
    }

    @Override
    public Reply nowhere() {
      throw CosmosException.notFound();
    }

    @Override
    public boolean isRepeatable() {
      return ClusterBackends.isRepeatable(call);
    }
  }

  /** Answers a request that another server relays; that server has authenticated the client. */
  private RelayMessage relayed(Member from, RelayMessage message, BooleanSupplier abandoned) {
    RelayedCall relayed = RelayedCall.of(message, abandoned);
    Call call = relayed.call();
    if (!(cells.routeOf(relayed.cell()) instanceof Route.Here(Cell cell))) {
      throw new MovedException(relayed.cell());
    }
    try (Admission admission = cell.admit()) {
      Reply reply =
          Interrupt.run(() -> Dispatcher.requireClient(call.request()), () -> answered(cell, call));
      if (admission.isValid()) {
        return RelayedCall.message(reply);
      }
    } catch (PeerException lost) {
      return RelayedCall.UNKNOWN_OUTCOME;
    }
    if (isRepeatable(call)) {
      throw new MovedException(relayed.cell());
    }
    return RelayedCall.UNKNOWN_OUTCOME;
  }

  private Reply answered(Cell cell, Call call) {
    try {
      return served.answer(cell, call);
    } catch (CosmosException refused) {
      return Replies.failure(refused, call.activity());
    }
  }

  @Override
  public void close() {}
}
