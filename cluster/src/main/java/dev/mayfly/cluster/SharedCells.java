package dev.mayfly.cluster;

import dev.mayfly.cluster.ClusterStatus.CellStatus;
import dev.mayfly.cluster.ClusterStatus.ServerStatus;
import dev.mayfly.expiry.Clock;
import dev.mayfly.store.Board;
import dev.mayfly.store.CellState;
import dev.mayfly.store.MemberRow;
import dev.mayfly.store.ReferenceClock;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.Stores;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a cluster of several servers, which share a board and the stores of the cells.
 *
 * <p>This server gives a sign of life each second, which extends the lease on its cells. It claims
 * cells that have no living owner, relays requests for the cells of others, and hands its cells
 * over when it is closed. Safe for many threads.
 *
 * <pre>{@code
 * try (SharedCells cells = SharedCells.open(board, stores, settings, clock)) {
 *   cells.observe(door);
 *   cells.answer(RelayKind.MONGO, door);
 *   cells.announce("db1:27017", Optional.empty());
 * }
 * }</pre>
 */
public final class SharedCells implements Cells {
  private static final System.Logger LOG = System.getLogger(SharedCells.class.getName());
  private static final Duration BEAT = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration COMPARE_CLOCKS = Duration.ofSeconds(5);

  /** How long a start waits for the home cell: another server may have to be given up for it. */
  private static final Duration HOME_WAIT = Duration.ofSeconds(10);

  /** How long {@link #refresh} waits for a change, and how old a reading may be for it. */
  private static final long REFRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Board board;
  private final SharedCellsSettings settings;
  private final LongSupplier ticker;
  private final ClusterClock clock;
  private final ClockSkew skew;
  private final Lease lease;
  private final Ownership ownership;
  private final Membership membership;
  private final Databases databases;
  private final CellHost host;
  private final PeerTls tls;
  private final Peers peers;
  private final PeerServer peerServer;
  private final List<PeriodicTask> tasks;

  /** Guards reading the board; those that wait for a change of the map wait for the condition. */
  private final ReentrantLock reading = new ReentrantLock();

  private final Condition changed = reading.newCondition();
  private long lastRead;

  /** Number of readings, and of cells that were opened. Guarded by the lock. */
  private long changes;

  private volatile boolean drained;
  private volatile boolean closed;

  private SharedCells(
      Board board,
      Stores stores,
      SharedCellsSettings settings,
      Clock system,
      ServerSocket listener) {
    this.board = board;
    this.settings = settings;
    this.ticker = settings.engine().ticker();
    UUID id = settings.id();
    this.clock = new ClusterClock(system, ticker, settings.maxClockSkew());
    this.skew = new ClockSkew(clock, ticker, settings.maxClockSkew());
    this.lease = new Lease(ticker, settings.lease());
    this.databases = new Databases(board, settings.placement());
    this.host =
        new CellHost(id, board, stores, clock, lease, settings.engine(), LockSupport::parkNanos);
    this.ownership =
        new Ownership(
            id, board, lease, settings.lease(), host, ticker, this::inBackground, this::takesCells);
    this.peers = new Peers(id, clock, ticker);
    this.tls = new PeerTls(settings.name(), clock.time(), this::isMember);
    this.peerServer = new PeerServer(listener, tls, clock, peers::withFingerprint);
    MemberRow row =
        new MemberRow(
            id,
            0,
            settings.name(),
            settings.peerHost() + ":" + listener.getLocalPort(),
            "",
            "",
            tls.fingerprint(),
            settings.version(),
            0,
            0,
            0);
    this.membership = new Membership(board, row, clock, lease, settings.lease(), ticker);
    this.tasks = new ArrayList<>();
    tasks.add(new PeriodicTask("mayfly-beat", BEAT, ticker, this::beat));
    tasks.add(new PeriodicTask("mayfly-cluster", LOOK, ticker, this::look));
    tasks.add(new PeriodicTask("mayfly-clock-skew", COMPARE_CLOCKS, ticker, this::compareClocks));
    if (settings.balanceInterval().isPositive()) {
      Balancer balancer = new Balancer(this);
      tasks.add(
          new PeriodicTask(
              "mayfly-balance", settings.balanceInterval(), ticker, balancer::balance));
    }
  }

  /**
   * Joins the cluster. Returns when the home cell is served, here or elsewhere, or after a while.
   *
   * @param board closed by the caller, after the cells
   * @throws StoreException UNAVAILABLE if the board does not answer
   * @throws IllegalArgumentException if it cannot listen on the address for other servers
   */
  public static SharedCells open(
      Board board, Stores stores, SharedCellsSettings settings, Clock clock) {
    ServerSocket listener = listen(settings);
    SharedCells cells = new SharedCells(board, stores, settings, clock, listener);
    try {
      cells.join();
    } catch (RuntimeException failure) {
      cells.close();
      throw failure;
    }
    return cells;
  }

  private static ServerSocket listen(SharedCellsSettings settings) {
    try {
      return new ServerSocket(settings.peerPort(), 128, InetAddress.getByName(settings.peerBind()));
    } catch (IOException failure) {
      throw new IllegalArgumentException(
          "cannot listen for other servers on "
              + settings.peerBind()
              + ":"
              + settings.peerPort()
              + ": "
              + failure.getMessage()
              + "; set peer-port or peer-host",
          failure);
    }
  }

  private void join() {
    board.createCell(Cell.HOME);
    peerServer.answer(RelayKind.CLUSTER, new ClusterRequests(this));
    peerServer.start();
    skew.measure(board.clocks());
    membership.takeSlot();
    beat();
    look();
    tasks.forEach(PeriodicTask::start);
    long end = ticker.getAsLong() + HOME_WAIT.toNanos();
    while (home() instanceof Route.Orphaned && ticker.getAsLong() - end < 0) {
      refresh();
    }
  }

  // Signs of life and the map.

  private void beat() {
    membership.beat(takesCells() ? host.opened().size() : Double.POSITIVE_INFINITY);
  }

  private boolean takesCells() {
    return !drained && !closed && !skew.isTooLarge();
  }

  /** Reads the board, and begins to claim or close cells where that is to be done. */
  private void look() {
    reading.lock();
    try {
      ownership.look();
      List<MemberRow> members = ownership.members();
      peers.follow(members, tls);
      peerServer.keep(members.stream().map(MemberRow::server).collect(Collectors.toSet()));
      lastRead = ticker.getAsLong();
      signalChange();
    } finally {
      reading.unlock();
    }
  }

  private void inBackground(Runnable task) {
    Thread.ofVirtual()
        .name("mayfly-cell")
        .start(
            () -> {
              try {
                task.run();
              } catch (StoreException failure) {
                LOG.log(
                    System.Logger.Level.WARNING,
                    "a cell could not be opened or closed: {0}",
                    failure.getMessage());
              } catch (RuntimeException | Error failure) {
                LOG.log(System.Logger.Level.ERROR, "a cell could not be opened or closed", failure);
              }
              signalChange();
            });
  }

  private void signalChange() {
    reading.lock();
    try {
      changes++;
      changed.signalAll();
    } finally {
      reading.unlock();
    }
  }

  private boolean isMember(byte[] fingerprint) {
    if (peers.withFingerprint(fingerprint).isEmpty()) {
      look();
    }
    return peers.withFingerprint(fingerprint).isPresent();
  }

  private void compareClocks() {
    List<ReferenceClock> references = new ArrayList<>(board.clocks());
    for (Peer peer : peers()) {
      references.add(ClusterRequests.clockOf(peer));
    }
    boolean before = skew.isTooLarge();
    skew.measure(references);
    if (skew.isTooLarge()) {
      if (!before) {
        LOG.log(
            System.Logger.Level.ERROR, "hands its cells over: the system clock {0}", skew.text());
      }
      releaseAll();
    }
  }

  /** Hands all cells over to other servers, or releases them if no other server is live. */
  private void releaseAll() {
    beat();
    List<Thread> threads = new ArrayList<>();
    for (Cell cell : host.served()) {
      threads.add(
          Thread.ofVirtual()
              .name("mayfly-release-" + cell.number())
              .start(() -> release(cell.number())));
    }
    threads.forEach(SharedCells::join);
  }

  private void release(int cell) {
    try {
      giveTo(cell, leastLoaded());
    } catch (RuntimeException failure) {
      LOG.log(System.Logger.Level.WARNING, "cell " + cell + " was not handed over", failure);
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Optional<MemberRow> leastLoaded() {
    ClusterMap now = map();
    return now.takers().stream()
        .filter(row -> !row.server().equals(id()))
        .min(Comparator.comparingLong(row -> now.cellsOf(row.server())));
  }

  /** Hands a cell of this server over, and returns when the next server serves it, or cannot. */
  private boolean giveTo(int cell, Optional<MemberRow> next) {
    if (!host.handOver(cell, next.map(MemberRow::server))) {
      return false;
    }
    if (next.isPresent()) {
      RemotePeer peer = peers.of(next.get().server());
      if (peer != null) {
        ClusterRequests.take(peer, cell);
      }
    }
    look();
    return true;
  }

  // What ClusterRequests and Balancer need.

  UUID id() {
    return settings.id();
  }

  ClusterMap map() {
    return ownership.map();
  }

  ClusterClock clock() {
    return clock;
  }

  /** Looks whether this server was given a cell, and waits until it serves it, for a while. */
  boolean awaitGiven(int cell, Duration limit) {
    long end = ticker.getAsLong() + limit.toNanos();
    look();
    while (host.serving(cell) == null && ticker.getAsLong() - end < 0) {
      refresh();
    }
    return host.serving(cell) != null;
  }

  // Cells.

  @Override
  public boolean isShared() {
    return true;
  }

  @Override
  public Route route(String database) {
    OptionalInt cell = databases.cell(database);
    return cell.isPresent() ? routeOf(cell.getAsInt()) : new Route.Nowhere();
  }

  @Override
  public Route routeForWrite(String database) {
    int cell = databases.place(database);
    Route route = routeOf(cell);
    if (route instanceof Route.Orphaned && !map().cells().containsKey(cell) && takesCells()) {
      host.take(new TakeOver.Claim(new CellState(cell, 0, Optional.empty(), 0, 0, 0), 0));
      look();
      return routeOf(cell);
    }
    return route;
  }

  @Override
  public Route home() {
    return routeOf(Cell.HOME);
  }

  @Override
  public Route routeOf(int cell) {
    OwnedCell own = host.serving(cell);
    if (own != null) {
      return new Route.Here(own);
    }
    Optional<MemberRow> owner = map().owner(cell);
    RemotePeer peer = owner.map(row -> peers.of(row.server())).orElse(null);
    return peer == null ? new Route.Orphaned(cell) : new Route.There(peer, cell);
  }

  @Override
  public List<Integer> numbers() {
    return board.cells().stream().map(CellState::cell).sorted().toList();
  }

  @Override
  public void refresh() {
    reading.lock();
    try {
      if (ticker.getAsLong() - lastRead >= REFRESH_NANOS) {
        look();
      } else {
        awaitChange();
      }
    } catch (StoreException unavailable) {
      LOG.log(System.Logger.Level.DEBUG, "the board does not answer", unavailable);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } finally {
      reading.unlock();
    }
  }

  private void awaitChange() throws InterruptedException {
    long before = changes;
    long left = REFRESH_NANOS;
    while (changes == before && left > 0) {
      left = changed.awaitNanos(left);
    }
  }

  @Override
  public List<Cell> served() {
    return host.served();
  }

  @Override
  public Member self() {
    return Peers.member(membership.row());
  }

  @Override
  public List<Member> members() {
    return map().bySlot().stream()
        .map(row -> row.server().equals(id()) ? self() : Peers.member(row))
        .toList();
  }

  @Override
  public List<Peer> peers() {
    return peers.among(map().live().keySet());
  }

  @Override
  public Optional<Peer> peer(int slot) {
    return peers().stream().filter(peer -> peer.member().slot() == slot).findFirst();
  }

  @Override
  public void observe(CellObserver observer) {
    host.observe(observer);
  }

  @Override
  public void answer(RelayKind kind, RelayHandler handler) {
    peerServer.answer(kind, handler);
  }

  /**
   * Publishes where clients reach this server.
   *
   * @param mongo host and port
   * @param cosmos endpoint URL; empty if it serves none
   */
  public void announce(String mongo, Optional<String> cosmos) {
    membership.announce(mongo, cosmos);
    beat();
    look();
  }

  @Override
  public ClusterStatus status() {
    look();
    ClusterMap now = map();
    return new ClusterStatus(
        ownership.members().stream()
            .sorted(Comparator.comparingInt(MemberRow::slot))
            .map(row -> status(now, row))
            .toList(),
        cellStatus(now, board.databases()),
        notReady());
  }

  private ServerStatus status(ClusterMap now, MemberRow row) {
    boolean isSelf = row.server().equals(id());
    return new ServerStatus(
        isSelf ? self() : Peers.member(row),
        isSelf,
        now.live().containsKey(row.server()),
        TimeUnit.NANOSECONDS.toMillis(ownership.silence(row.server())),
        now.cellsOf(row.server()),
        isSelf ? takesCells() : Double.isFinite(row.load()),
        isSelf ? OptionalLong.of(0) : skew.of(row.name()));
  }

  private static List<CellStatus> cellStatus(ClusterMap now, Map<String, Integer> placed) {
    Map<Integer, List<String>> names = new TreeMap<>();
    placed.forEach((name, cell) -> names.computeIfAbsent(cell, _ -> new ArrayList<>()).add(name));
    names.values().forEach(list -> list.sort(Comparator.naturalOrder()));
    return sorted(now.cells().values()).stream()
        .map(
            cell ->
                new CellStatus(
                    cell.cell(),
                    cell.owner(),
                    now.owner(cell.cell()).isPresent(),
                    cell.epoch(),
                    cell.lag(),
                    List.copyOf(names.getOrDefault(cell.cell(), List.of()))))
        .toList();
  }

  private static List<CellState> sorted(Collection<CellState> cells) {
    return cells.stream().sorted(Comparator.comparingInt(CellState::cell)).toList();
  }

  /** Returns why this server serves no cells; empty if it does, or could. Never blocks. */
  public Optional<String> notReady() {
    if (closed) {
      return Optional.of("this server is stopping");
    }
    if (skew.isTooLarge()) {
      return Optional.of("the system clock " + skew.text());
    }
    if (lease.current() == 0) {
      return Optional.of("the lease has ended: no sign of life could be written");
    }
    return drained ? Optional.of("this server is drained") : Optional.empty();
  }

  @Override
  public void move(int cell, int slot) {
    look();
    Optional<MemberRow> next =
        map().takers().stream().filter(row -> row.slot() == slot).findFirst();
    if (next.isEmpty()) {
      throw new IllegalArgumentException("no server with slot " + slot + " takes cells");
    }
    Optional<UUID> owner = Optional.ofNullable(map().cells().get(cell)).flatMap(CellState::owner);
    if (owner.isEmpty()) {
      throw new IllegalArgumentException("cell " + cell + " does not exist, or has no owner");
    }
    if (owner.equals(Optional.of(next.get().server()))) {
      return;
    }
    if (!owner.get().equals(id())) {
      ClusterRequests.move(requirePeer(owner.get(), cell), cell, slot);
    } else if (!giveTo(cell, next)) {
      throw new MovedException(cell);
    }
  }

  private RemotePeer requirePeer(UUID server, int cell) {
    @Nullable RemotePeer peer = peers.of(server);
    if (peer == null) {
      throw new MovedException(cell);
    }
    return Objects.requireNonNull(peer);
  }

  @Override
  public void drain(int slot, boolean on) {
    if (slot == self().slot()) {
      drained = on;
      if (on) {
        releaseAll();
      } else {
        beat();
      }
      return;
    }
    Peer peer =
        peer(slot)
            .orElseThrow(() -> new IllegalArgumentException("no live server has slot " + slot));
    ClusterRequests.drain(peer, on);
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      releaseAll();
    } catch (StoreException unavailable) {
      LOG.log(System.Logger.Level.WARNING, "could not hand the cells over", unavailable);
    }
    tasks.forEach(PeriodicTask::close);
    host.abandon();
    try {
      membership.leave();
    } catch (StoreException unavailable) {
      LOG.log(System.Logger.Level.WARNING, "could not leave the cluster", unavailable);
    }
    peerServer.close();
    peers.close();
  }

  /** Gives no further sign of life and reads no board, as a process that is paused. For tests. */
  void pause() {
    membership.halt();
    tasks.forEach(PeriodicTask::close);
  }

  /** Stops without a word to anybody, as a process that is killed. For tests. */
  void kill() {
    closed = true;
    membership.halt();
    tasks.forEach(PeriodicTask::close);
    peerServer.close();
    peers.close();
    host.abandon();
  }
}
