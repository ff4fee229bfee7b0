package dev.mayfly.mongo;

import dev.mayfly.cluster.Cells;
import dev.mayfly.cluster.Member;
import dev.mayfly.cluster.RelayKind;
import dev.mayfly.cluster.Router;
import dev.mayfly.mongo.topology.Topology;
import dev.mayfly.value.Document;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** One of several servers: its own cells, and relays to the servers of the others. */
final class ClusterServer implements MongoServer {
  private final Cells cells;
  private final MongoFrontend frontend;
  private final CellBackends backends;
  private final HomeFollower home;
  private final TransactionCells transactions;
  private final ClusterDispatcher dispatcher;

  /**
   * @param clock the time of the server, in epoch milliseconds
   */
  ClusterServer(Cells cells, LongSupplier clock, MongoSettings settings) {
    this.cells = cells;
    HomeEngine homeEngine = new HomeEngine();
    this.frontend = MongoFrontend.shared(homeEngine, clock, settings);
    frontend.monitoring().operations().slot(cells.self().slot());
    this.backends =
        new CellBackends(frontend, homeEngine, () -> CursorIds.next(cells.self().slot()));
    Dispatcher server =
        Dispatcher.shared(frontend, clock, new ServerScope(frontend, cells, backends));
    Relay relay = new Relay(frontend);
    CursorRequests cursors = new CursorRequests(cells, backends, server, relay);
    this.home = new HomeFollower(cells, backends);
    this.transactions = new TransactionCells(settings.ticker());
    Router router = new Router(cells, settings.ticker());
    this.dispatcher =
        new ClusterDispatcher(
            frontend, cells, backends, server, relay, cursors, home, router, transactions);
    cells.answer(RelayKind.MONGO, new RelayAnswers(frontend, backends, server, cursors));
    cells.observe(backends);
    home.start(router);
    describe();
  }

  /** Describes the members to drivers. */
  private void describe() {
    frontend
        .topology()
        .shape(
            switch (frontend.settings().address().topology()) {
              case SHARDED -> new Topology.Sharded();
              case REPLICA_SET -> members(cells.members());
            });
  }

  /** The members that have announced their address; this server alone until it has done so. */
  private Topology.Shape members(List<Member> members) {
    List<Member> known = members.stream().filter(member -> !member.mongo().isEmpty()).toList();
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).id().equals(cells.self().id())) {
        return new Topology.Members(known.stream().map(Member::mongo).toList(), i);
      }
    }
    return new Topology.Alone();
  }

  @Override
  public MongoFrontend frontend() {
    return frontend;
  }

  @Override
  public MessageHandler handler() {
    return dispatcher;
  }

  @Override
  public List<MongoBackend> backends() {
    return backends.all().stream().map(CellBackends.Served::backend).toList();
  }

  @Override
  public List<Runnable> periodicTasks() {
    return List.of(backends::tick, transactions::expire, this::describe, home::refresh);
  }

  @Override
  public void onSlow(Consumer<Document> consumer) {
    backends.onSlow(consumer);
  }

  /** The backends go on for other servers until their cells are handed over. */
  @Override
  public void close() {}
}
