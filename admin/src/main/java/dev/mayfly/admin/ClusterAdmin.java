package dev.mayfly.admin;

import dev.mayfly.cluster.Admission;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.CellLoss;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Member;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.PeerException;
import dev.mayfly.cluster.RelayKind;
import dev.mayfly.cluster.RelayMessage;
import dev.mayfly.cluster.Route;
import dev.mayfly.cluster.Router;
import dev.mayfly.engine.ExpiryService.ChangeAuthor;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Admin API of a server of a cluster. A request that names a database goes to the cell of that
 * database, at this server or at another one. Lists and sums are joined over all cells. Users are
 * in the home cell. Safe for many threads.
 */
public final class ClusterAdmin implements AdminRequests {
  /** How long a relayed request may take: counts and touches read many documents. */
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private static final Set<String> READING =
      Set.of("forecast", "what-if", "lives", "soonest", "warnings", "export");

  private final Cells cells;
  private final Router router;
  private final Users users;
  private final ClusterRequests cluster;
  private volatile Supplier<Document> definitions = AdminApi.NO_DEFINITIONS;
  private volatile ConsoleAnswer console = ClusterAdmin::noConsole;

  /** Answers requests of the console that another server relays. */
  @FunctionalInterface
  public interface ConsoleAnswer {
    /**
     * Answers a request.
     *
     * @param abandoned whether nobody waits for the reply any more
     * @throws AdminException when the request fails
     */
    Document answer(Cell cell, RelayedRequest request, BooleanSupplier abandoned);
  }

  /**
   * A request for one cell, wherever it is.
   *
   * @param path relative to {@link AdminApi#ROOT}, URL-encoded
   * @param caller user of the console; empty for a program with the key
   * @param here answers it if this server serves the cell
   */
  public record Action(
      String method, String path, Document body, Document caller, Function<Cell, Document> here) {}

  /**
   * Creates the admin API and answers what other servers relay.
   *
   * @param ticker the monotonic clock in nanoseconds
   * @param users users of the MongoDB door
   */
  public ClusterAdmin(Cells cells, LongSupplier ticker, Users users) {
    this.cells = cells;
    this.router = new Router(cells, ticker);
    this.users = users;
    this.cluster = new ClusterRequests(cells);
    cells.answer(RelayKind.ADMIN, this::relayed);
  }

  /** Sets what lists the definitions of all collections and containers. */
  public void definitions(Supplier<Document> list) {
    definitions = list;
  }

  private static Document noConsole(Cell cell, RelayedRequest request, BooleanSupplier abandoned) {
    throw AdminException.missing("This server has no console.");
  }

  /** Sets what answers requests of the console that other servers relay. */
  public void console(ConsoleAnswer answer) {
    console = answer;
  }

  @Override
  public Document answer(String method, String path, Document body) {
    List<String> segments = AdminApi.segments(path);
    if (segments.getFirst().equals("cluster")) {
      return cluster.answer(method, path, segments, body);
    }
    if (segments.getFirst().equals("collections") && segments.size() > 2) {
      String database = segments.get(1);
      boolean creates = segments.getLast().equals("import");
      return at(
          () -> creates ? cells.routeForWrite(database) : cells.route(database),
          method,
          path,
          body);
    }
    return switch (method + " /" + String.join("/", segments)) {
      case "GET /collections" -> collections(everywhere(method, path, body));
      case "GET /sweep", "POST /sweep/pause", "POST /sweep/resume" ->
          sweep(everywhere(method, path, body));
      case "GET /alarms" -> alarms(everywhere(method, path, body));
      case "POST /clock/confirm" -> everywhere(method, path, body).getFirst();
      case "GET /definitions" -> definitions.get();
      case "POST /backup" ->
          throw new AdminException(
              409,
              "The data is in Cassandra: use the snapshots of Cassandra, or export the"
                  + " collections.");
      default -> at(cells::home, method, path, body);
    };
  }

  private List<Document> everywhere(String method, String path, Document body) {
    return cells.numbers().stream()
        .map(cell -> at(() -> cells.routeOf(cell), method, path, body))
        .toList();
  }

  private Document at(Supplier<Route> route, String method, String path, Document body) {
    return at(
        route,
        new Action(
            method, path, body, Document.EMPTY, cell -> apiOf(cell).run(method, path, body)));
  }

  private AdminApi apiOf(Cell cell) {
    return new AdminApi(cell.engine(), Optional.empty(), users, _ -> {});
  }

  /**
   * Runs a request at the server of its cell.
   *
   * @param route returns where the cell is; called again if it has moved
   * @throws AdminException when the request fails
   */
  public Document at(Supplier<Route> route, Action action) {
    try {
      return router.run(route, new CellRequest(action));
    } catch (MovedException unowned) {
      throw new AdminException(
          503, "Cell " + unowned.cell() + " has no server at present: repeat the request.");
    } catch (PeerException failure) {
      throw translate(failure);
    }
  }

  static AdminException translate(PeerException failure) {
    String outcome =
        failure.reason() == PeerException.Reason.NOT_SENT
            ? "nothing was done"
            : "the request may have taken effect";
    return new AdminException(
        503, "Another server has not answered, " + outcome + ": " + failure.getMessage() + ".");
  }

  /** A request at the server of its cell. */
  private static final class CellRequest implements Router.Operation<Document> {
    private final Action action;

    CellRequest(Action action) {
      this.action = action;
    }

    @Override
    public Document here(Cell cell) {
      return run(cell, isRepeatable(), () -> action.here().apply(cell));
    }

    @Override
    public Document there(Peer peer, int cell) {
      RelayMessage request = new RelayedRequest(cell, action).message();
      return RelayedRequest.reply(peer.call(RelayKind.ADMIN, request, LIMIT, () -> false));
    }

    @Override
    public Document nowhere() {
      throw AdminException.missing(
          "No server has the database '" + AdminApi.segments(action.path()).get(1) + "'.");
    }

    @Override
    public boolean isRepeatable() {
      return reads(action.method(), action.path());
    }
  }

  private static boolean reads(String method, String path) {
    return method.equals("GET") || READING.contains(AdminApi.segments(path).getLast());
  }

  /** Runs a request on the engine of a cell. */
  private static Document run(Cell cell, boolean reads, Supplier<Document> request) {
    try {
      return request.get();
    } catch (RuntimeException failure) {
      throw switch (CellLoss.of(failure)) {
        case NONE -> AdminApi.translated(failure);
        case NOTHING_DONE -> reads ? new MovedException(cell.number()) : lost(failure);
        case UNKNOWN -> lost(failure);
      };
    }
  }

  private static PeerException lost(RuntimeException failure) {
    return new PeerException(
        PeerException.Reason.LOST, "the cell has moved during the request", failure);
  }

  /** Answers a request that another server relays. */
  private RelayMessage relayed(Member from, RelayMessage message, BooleanSupplier abandoned) {
    RelayedRequest request = RelayedRequest.of(message);
    if (!(cells.routeOf(request.cell()) instanceof Route.Here(Cell cell))) {
      throw new MovedException(request.cell());
    }
    try (Admission admission = cell.admit()) {
      Document reply = authored(cell, request, abandoned);
      return admission.isValid()
          ? RelayedRequest.message(reply)
          : RelayedRequest.message(translate(lost(new MovedException(request.cell()))));
    } catch (AdminException refused) {
      return RelayedRequest.message(refused);
    } catch (PeerException lost) {
      return RelayedRequest.message(translate(lost));
    }
  }

  private Document authored(Cell cell, RelayedRequest request, BooleanSupplier abandoned) {
    boolean fromConsole = !request.caller().isEmpty();
    Supplier<Document> action =
        () ->
            fromConsole
                ? console.answer(cell, request, abandoned)
                : apiOf(cell).run(request.method(), request.path(), request.body());
    boolean reads = reads(request.method(), request.path());
    return request.author().isEmpty()
        ? run(cell, reads, action)
        : ChangeAuthor.as(request.author(), () -> run(cell, reads, action));
  }

  private static Document collections(List<Document> replies) {
    return Document.writer()
        .put("collections", Value.array(elements(replies, "collections")))
        .put("lagMillis", max(replies, "lagMillis"))
        .build();
  }

  private static Document sweep(List<Document> replies) {
    DocumentWriter sum = Document.writer();
    for (String name : List.of("documents", "bytes", "passes")) {
      sum.put(name, replies.stream().mapToLong(reply -> reply.field(name).asLong()).sum());
    }
    return sum.put("lagMillis", max(replies, "lagMillis")).build();
  }

  private static Document alarms(List<Document> replies) {
    return Document.writer().put("alarms", Value.array(elements(replies, "alarms"))).build();
  }

  private static long max(List<Document> replies, String name) {
    return replies.stream().mapToLong(reply -> reply.field(name).asLong()).max().orElse(0);
  }

  private static List<Value> elements(List<Document> replies, String name) {
    List<Value> all = new ArrayList<>();
    for (Document reply : replies) {
      Fields each = reply.field(name).asDocument().fields();
      while (each.next()) {
        all.add(each.value());
      }
    }
    return all;
  }
}
