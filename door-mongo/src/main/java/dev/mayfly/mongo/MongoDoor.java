package dev.mayfly.mongo;

import dev.mayfly.cluster.Cells;
import dev.mayfly.engine.Engine;
import dev.mayfly.mongo.admin.Observer;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Server for MongoDB drivers and tools. Closing it leaves the engine open.
 *
 * <p>One thread accepts connections. A few event loops read from all connections and answer short
 * requests; workers answer the others, one thread for each request in progress.
 */
public final class MongoDoor implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(MongoDoor.class.getName());
  private static final int BACKLOG = 1024;
  private static final long INTERRUPT_MILLIS = 1_000;
  private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final MongoSettings settings;
  private final ServerSocketChannel listener;
  private final MongoServer server;
  private final MongoFrontend frontend;
  private final ConnectionContext connectionContext;
  private final ExecutorService workers;
  private final List<Loop> loops;
  private final PeriodicTasks periodicTasks;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private volatile boolean closing;

  private MongoDoor(MongoServer server, ServerSocketChannel listener, List<Loop> loops) {
    this.server = server;
    this.frontend = server.frontend();
    this.settings = frontend.settings();
    this.listener = listener;
    this.loops = loops;
    this.workers = Executors.newCachedThreadPool(settings.connections().threads());
    this.connectionContext =
        new ConnectionContext(
            settings.security(),
            settings.connections().memory(),
            settings.ticker(),
            server.handler(),
            frontend.monitoring().totals(),
            workers,
            new SparseLog(settings.ticker()),
            new AtomicReference<>("This port is for MongoDB drivers, not for browsers."),
            this::ended);
    List<Runnable> tasks = new ArrayList<>(List.of(this::closeLate));
    tasks.addAll(server.periodicTasks());
    this.periodicTasks = PeriodicTasks.start(settings.connections().threads(), tasks);
  }

  /**
   * Opens the door of a server that is alone: clients can connect when this returns.
   *
   * @throws UncheckedIOException if it cannot listen at the address
   */
  public static MongoDoor open(Engine engine, MongoSettings settings) {
    return open(settings, () -> new SingleServer(engine, settings));
  }

  /**
   * Opens the door of a server that may be one of several: clients can connect when this returns.
   * Close it before the cells: until they are closed, it answers other servers.
   *
   * @param clock the time of the server, in epoch milliseconds
   * @throws UncheckedIOException if it cannot listen at the address
   */
  public static MongoDoor open(Cells cells, LongSupplier clock, MongoSettings settings) {
    return cells.isShared()
        ? open(settings, () -> new ClusterServer(cells, clock, settings))
        : open(cells.served().getFirst().engine(), settings);
  }

  private static MongoDoor open(MongoSettings settings, Supplier<MongoServer> server) {
    MongoSettings.Address address = settings.address();
    try {
      ServerSocketChannel listener = listen(address);
      List<Loop> loops = new ArrayList<>();
      for (int i = 0; i < settings.connections().loops(); i++) {
        loops.add(Loop.open());
      }
      MongoDoor door = new MongoDoor(server.get(), listener, loops);
      loops.forEach(loop -> settings.connections().threads().newThread(loop).start());
      settings.connections().threads().newThread(door::accept).start();
      return door;
    } catch (IOException failure) {
      throw new UncheckedIOException(
          "cannot listen at " + address.host() + ":" + address.port(), failure);
    }
  }

  private static ServerSocketChannel listen(MongoSettings.Address address) throws IOException {
    ServerSocketChannel listener = ServerSocketChannel.open();
    try {
      InetAddress host = InetAddress.getByName(address.host());
      return listener.bind(new InetSocketAddress(host, address.port()), BACKLOG);
    } catch (IOException taken) {
      listener.close();
      throw taken;
    }
  }

  /** The address it listens at. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listener.socket().getLocalSocketAddress();
  }

  /** The users that can log in. */
  public Users users() {
    return frontend.users();
  }

  /** The number of open connections. */
  public int connections() {
    return open.size();
  }

  /** The number of open cursors. */
  public int cursors() {
    return server.backends().stream().mapToInt(backend -> backend.cursors().size()).sum();
  }

  /** Calls an observer after each request, in place of an earlier one. */
  public void observe(Observer observer) {
    frontend.monitoring().totals().observe(observer);
  }

  /**
   * Calls a consumer after each slow request with its description, which contains no values, in
   * place of an earlier one.
   */
  public void onSlow(Consumer<Document> consumer) {
    server.onSlow(consumer);
  }

  /**
   * Opens a session in this process.
   *
   * @param user whose roles decide; empty for one that may do everything
   * @param origin where its commands come from, for currentOp and the profiler
   */
  public InProcessSession session(Optional<Identity> user, String origin) {
    return new InProcessSession(connectionContext.dispatcher(), frontend, user, origin);
  }

  /** Sets the text that browsers get that are directed at this port by mistake. */
  public void browserHint(String text) {
    connectionContext.browserHint().set(text);
  }

  /** The connection string for a driver on this machine. */
  public String connectionString() {
    InetSocketAddress bound = address();
    String host =
        bound.getAddress().isAnyLocalAddress() ? "127.0.0.1:" + bound.getPort() : text(bound);
    return "mongodb://"
        + host
        + (frontend.topology().isSharded() ? "/" : "/?replicaSet=" + settings.address().setName());
  }

  /** Closes connections of clients that take too long. */
  private void closeLate() {
    long now = settings.ticker().getAsLong();
    open.forEach(connection -> connection.endIfLate(now));
    settings.connections().memory().disconnectLate(now);
  }

  private void accept() {
    while (!closing) {
      try {
        accept(listener.accept());
      } catch (IOException | RuntimeException | Error failure) {
        acceptFailed(failure);
      }
    }
  }

  private void accept(SocketChannel channel) throws IOException {
    boolean registered = false;
    try {
      register(channel);
      registered = true;
    } finally {
      if (!registered) {
        channel.close();
      }
    }
  }

  /** A lack of descriptors or memory lasts a while: an immediate retry would spin. */
  private void acceptFailed(Throwable failure) {
    if (!closing) {
      try {
        LOG.log(System.Logger.Level.WARNING, "failed to accept a connection", failure);
      } finally {
        LockSupport.parkNanos(RETRY_NANOS);
      }
    }
  }

  private void register(SocketChannel channel) throws IOException {
    long number = frontend.monitoring().clients().admit();
    if (number == 0) {
      LOG.log(
          System.Logger.Level.WARNING,
          "rejected a connection: the limit of connections is reached");
      channel.close();
      return;
    }
    Client client =
        new Client(
            number,
            text((InetSocketAddress) channel.socket().getRemoteSocketAddress()),
            text((InetSocketAddress) channel.socket().getLocalSocketAddress()));
    Loop loop = loops.get((int) (number % loops.size()));
    Connection connection = new Connection(channel, client, connectionContext, loop);
    open.add(connection);
    frontend.monitoring().clients().add(client);
    loop.execute(connection::enter);
    if (closing) {
      connection.stop();
    }
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  private void ended(Connection connection) {
    open.remove(connection);
    frontend.monitoring().clients().remove(connection.client());
    lock.lock();
    try {
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Stops accepting, closes idle connections at once and the others after the reply in progress;
   * cuts off those that take longer than the settings allow.
   */
  @Override
  public void close() {
    closing = true;
    try {
      listener.close();
    } catch (IOException failure) {
      LOG.log(System.Logger.Level.WARNING, "closing the listener failed", failure);
    }
    periodicTasks.close();
    frontend.topology().change();
    open.forEach(Connection::stop);
    stopOperations(request -> request.name().equals("getMore"));
    if (!awaitEnds(settings.connections().shutdownMillis())) {
      stopOperations(_ -> true);
      awaitEnds(INTERRUPT_MILLIS);
      open.forEach(Connection::end);
    }
    loops.forEach(Loop::close);
    workers.shutdown();
    server.close();
  }

  private void stopOperations(Predicate<Request> which) {
    frontend.monitoring().operations().stopAll(which, ErrorCode.INTERRUPTED_AT_SHUTDOWN);
  }

  private boolean awaitEnds(long millis) {
    long left = TimeUnit.MILLISECONDS.toNanos(millis);
    lock.lock();
    try {
      while (!open.isEmpty() && left > 0) {
        left = ended.awaitNanos(left);
      }
    } catch (InterruptedException hurried) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
    return open.isEmpty();
  }
}
