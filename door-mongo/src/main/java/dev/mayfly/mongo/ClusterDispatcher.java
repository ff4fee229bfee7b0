package dev.mayfly.mongo;

import dev.mayfly.cluster.Admission;
import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.MovedException;
import dev.mayfly.cluster.Peer;
import dev.mayfly.cluster.Route;
import dev.mayfly.cluster.Router;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.mongo.admin.Operations;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Operation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.RunningOperation;
import dev.mayfly.mongo.session.Transactions;
import dev.mayfly.mongo.wire.Message;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Answers clients of one of several servers: runs each command at its {@link Destination}, here or
 * by a relay. Thread-safe.
 */
final class ClusterDispatcher implements MessageHandler {
  private final Cells cells;
  private final CellBackends backends;
  private final Dispatcher server;
  private final Router router;
  private final Relay relay;
  private final RequestRoutes routes;
  private final CursorRequests cursors;
  private final Broadcast broadcast;
  private final ComputedDocuments computed;
  private final HomeFollower home;
  private final TransactionCells transactions;
  private final LongSupplier clock;
  private final LongSupplier ticker;
  private final boolean sharded;

  ClusterDispatcher(
      MongoFrontend frontend,
      Cells cells,
      CellBackends backends,
      Dispatcher server,
      Relay relay,
      CursorRequests cursors,
      HomeFollower home,
      Router router,
      TransactionCells transactions) {
    this.cells = cells;
    this.backends = backends;
    this.server = server;
    this.router = router;
    this.relay = relay;
    this.routes = new RequestRoutes(cells, frontend.guard());
    this.cursors = cursors;
    this.broadcast = new Broadcast(cells, backends, server, relay);
    this.computed = new ComputedDocuments(cells, frontend.guard(), broadcast);
    this.home = home;
    this.transactions = transactions;
    this.clock = frontend.clock();
    this.ticker = frontend.settings().ticker();
    this.sharded = frontend.settings().address().topology() == ClusterTopology.SHARDED;
  }

  @Override
  public boolean answer(Client client, Message message, DocumentWriter reply) {
    if (!(message instanceof Message.Call call)) {
      return server.answer(client, message, reply);
    }
    try {
      Request request =
          new Request(
              client,
              new Operation(clock, ticker, Optional.empty()),
              call.body(),
              call.sequences());
      Dispatcher.limit(request);
      if (!call.silent()) {
        request.operation().waitedForBy(client::isGone);
      }
      return answer(request, call, reply);
    } catch (RuntimeException failure) {
      server.broken(call, failure, reply);
      return false;
    }
  }

  private boolean answer(Request request, Message.Call call, DocumentWriter reply) {
    Destination destination = Destination.of(request.name());
    if (destination == Destination.CURSOR && CursorRequests.isReadable(request)) {
      return cursors.answer(request, call, reply);
    }
    if (Transactions.includes(request)) {
      return inTransaction(request, call, reply);
    }
    return switch (destination) {
      case HERE -> server.answer(request.client(), call, reply);
      case DATABASE, CURSOR -> inDatabase(request, call, reply);
      case HOME -> atHome(request, call, reply);
      case OPERATION -> atOperation(request, call, reply);
      case EVERY_CELL -> everywhere(request, call, true, reply);
      case EVERY_SERVER -> everywhere(request, call, false, reply);
      case NOWHERE -> throw notOffered(request.name());
    };
  }

  private static CommandException notOffered(String what) {
    return new CommandException(
        ErrorCode.COMMAND_NOT_SUPPORTED, what + " is not supported on several servers");
  }

  private boolean inDatabase(Request request, Message.Call call, DocumentWriter reply) {
    if (request.name().equals("bulkWrite")) {
      Map<String, Integer> databases = routes.ofBulk(request);
      if (databases.values().stream().distinct().count() > 1) {
        return inSeveral(request, databases, reply);
      }
    }
    if (request.name().equals("aggregate") && watchesAll(request)) {
      throw notOffered("a change stream on the whole cluster");
    }
    Optional<Request> replaced = computed.inPlaceOf(request);
    if (replaced.isPresent()) {
      Request other = replaced.get();
      return inCell(cells::home, other, Relay.part(call, other.body()), reply);
    }
    return inCell(
        () -> {
          Route route = routes.of(request);
          OptionalInt cell = RequestRoutes.cell(route);
          if (cell.isPresent()) {
            routes.checkTargets(request, cell.getAsInt());
          }
          return route;
        },
        request,
        call,
        reply);
  }

  private boolean inSeveral(Request request, Map<String, Integer> databases, DocumentWriter reply) {
    BulkSplit split =
        new BulkSplit(
            request,
            new BulkSplit.InCell() {
              @Override
              public boolean run(
                  int cell, Request part, Message.Call call, DocumentWriter partReply) {
                return inCell(() -> cells.routeOf(cell), part, call, partReply);
              }

              @Override
              public boolean more(Request getMore, Message.Call call, DocumentWriter partReply) {
                return cursors.answer(getMore, call, partReply);
              }
            });
    boolean done = split.run(databases, reply);
    if (done) {
      server.succeeded(request, reply);
    }
    return done;
  }

  /** Whether a request opens a change stream on all databases, which are in several cells. */
  private static boolean watchesAll(Request request) {
    List<Document> stages = request.documents("pipeline");
    Value options = stages.isEmpty() ? Value.MISSING : stages.getFirst().field("$changeStream");
    return options.isDocument()
        && options.asDocument().field("allChangesForCluster").equals(Value.TRUE);
  }

  /** Changes of users apply to this server at once, to others soon. */
  private boolean atHome(Request request, Message.Call call, DocumentWriter reply) {
    boolean done = inCell(cells::home, request, call, reply);
    if (done && !Repetition.isRepeatable(request)) {
      home.refresh();
    }
    return done;
  }

  private boolean inCell(
      Supplier<Route> route, Request request, Message.Call call, DocumentWriter reply) {
    return router.run(
        () -> {
          request.check();
          return route.get();
        },
        new Router.Operation<Boolean>() {
          @Override
          public Boolean here(Cell cell) {
            reply.clear();
            return backends.served(cell.number()).answer(request, call, reply);
          }

          @Override
          public Boolean there(Peer peer, int cell) {
            RelayReply made = relay.call(peer, RelayRequest.Target.CELL, cell, request, call);
            reply.clear();
            reply.putAll(made.body());
            return made.done();
          }

          @Override
          public Boolean nowhere() {
            throw new MovedException(Cell.HOME);
          }

          @Override
          public boolean isRepeatable() {
            return Repetition.isRepeatable(request);
          }
        });
  }

  /** Runs a statement of a transaction in the cell of its first statement. */
  private boolean inTransaction(Request request, Message.Call call, DocumentWriter reply) {
    Transactions.checkAllowed(request);
    int cell = cellOfTransaction(request);
    routes.checkTargets(request, cell);
    transactions.pin(request, cell);
    boolean done = inCell(() -> cells.routeOf(cell), request, call, reply);
    if (done && sharded) {
      reply.put(TransactionCells.RECOVERY_TOKEN, TransactionCells.token(cell));
    }
    return done;
  }

  private int cellOfTransaction(Request request) {
    boolean starts = request.flag("startTransaction", false);
    OptionalInt known = starts ? OptionalInt.empty() : transactions.of(request);
    if (Transactions.ends(request)) {
      OptionalInt cell = known.isPresent() ? known : TransactionCells.ofToken(request);
      return cell.orElseThrow(() -> Transactions.missing(request));
    }
    for (String database : databases(request)) {
      Route route = routes.existing(database);
      if (route instanceof Route.Nowhere
          && (known.isEmpty() || Destination.creates(request.name()))) {
        // a transaction that begins with a read may continue with writes
        route = routes.created(request, database);
      }
      OptionalInt cell = RequestRoutes.cell(route);
      if (cell.isPresent() && known.isPresent() && cell.getAsInt() != known.getAsInt()) {
        throw new CommandException(
            ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
            "a transaction cannot use databases in several cells: '" + database + "'");
      }
      known = known.isPresent() ? known : cell;
    }
    return known.orElse(Cell.HOME);
  }

  private static Iterable<String> databases(Request request) {
    return request.name().equals("bulkWrite")
        ? RequestRoutes.bulkDatabases(request)
        : List.of(request.database());
  }

  /** Stops an operation at the server that runs it. */
  private boolean atOperation(Request request, Message.Call call, DocumentWriter reply) {
    int slot = Operations.slotOf((int) request.number("op", 0));
    Optional<Peer> peer = slot == cells.self().slot() ? Optional.empty() : cells.peer(slot);
    if (peer.isEmpty()) {
      return server.answer(request.client(), call, reply);
    }
    RelayReply made = relay.call(peer.get(), RelayRequest.Target.SERVER, 0, request, call);
    reply.putAll(made.body());
    return made.done();
  }

  private boolean everywhere(
      Request request, Message.Call call, boolean everyCell, DocumentWriter reply) {
    if (request.name().equals("fsync") && request.flag("lock", false)) {
      throw notOffered("fsync with lock");
    }
    return broadcast.answer(request, call, everyCell, reply);
  }

  /** Answers reads of a cell that is here; nothing else is brief enough for an event loop. */
  @Override
  public boolean tryAnswer(
      Client client, Message message, PendingCommit pending, DocumentWriter reply) {
    if (!(message instanceof Message.Call call)) {
      throw new WouldBlock();
    }
    Fields fields = call.body().fields();
    String name = fields.next() ? fields.name() : "";
    if (name.equals("ping")) {
      return server.tryAnswer(client, message, pending, reply);
    }
    Optional<CellBackends.Served> cell =
        name.equals("find") ? localCell(call.body().field("$db")) : Optional.empty();
    if (cell.isEmpty()) {
      throw new WouldBlock();
    }
    try (Admission admission = cell.get().cell().admit()) {
      boolean done = cell.get().dispatcher().tryAnswer(client, message, pending, reply);
      if (admission.isValid()) {
        return done;
      }
    } catch (RuntimeException moved) {
      client.running(null);
      throw new WouldBlock();
    }
    client.running(null);
    throw new WouldBlock();
  }

  /** Returns the cell of a database if it is certainly here. Does not block. */
  private Optional<CellBackends.Served> localCell(Value database) {
    return database.type() == Type.STRING
        ? routes.local(database.asString()).flatMap(cell -> backends.find(cell.number()))
        : Optional.empty();
  }

  @Override
  public void ended(Client client, boolean done) {
    Optional<CellBackends.Served> cell =
        client
            .running()
            .map(RunningOperation::request)
            .flatMap(request -> localCell(Value.of(request.database())));
    if (cell.isPresent()) {
      cell.get().dispatcher().ended(client, done);
    } else {
      server.ended(client, done);
    }
  }

  @Override
  public void broken(Message message, RuntimeException failure, DocumentWriter reply) {
    server.broken(message, failure, reply);
  }

  @Override
  public boolean streams(Message.Call call) {
    if (server.streams(call)) {
      return true;
    }
    Value cursor = call.body().field("getMore");
    return call.exhaust()
        && cursor.type() == Type.INT64
        && backends.withCursor(cursor.asLong()).isPresent();
  }
}
