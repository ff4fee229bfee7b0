package dev.mayfly.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpDecoderConfig;
import io.netty.handler.codec.http.HttpRequestDecoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * HTTP/1.1 server, plain and TLS on one port.
 *
 * <p>A few event loops serve all connections. Each reads requests and handles those that the
 * handler answers without blocking; any other request gets a virtual thread. Replies of a
 * connection are in the order of its requests. See decision 0010.
 */
public final class HttpServer implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(HttpServer.class.getName());
  private static final int BACKLOG = 1024;
  private static final int TICKS_PER_TIMEOUT = 10;

  private final HttpSettings settings;
  private final Handler handler;
  private final EventLoopGroup loops;
  private final ExecutorService workers;
  private final Map<EventLoop, ReplyEncoder> encoders = new ConcurrentHashMap<>();
  private final Map<EventLoop, FlushQueue> flushQueues = new ConcurrentHashMap<>();
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final Channel listener;

  private HttpServer(HttpSettings settings, Handler handler) throws IOException {
    this.settings = settings;
    this.handler = handler;
    ThreadFactory loopThread =
        Thread.ofPlatform().daemon().name(settings.name() + "-loop").factory();
    this.loops =
        new MultiThreadIoEventLoopGroup(
            settings.loops(), loopThread, SpinningLoop.newFactory(this::flushQueue));
    this.workers =
        Executors.newThreadPerTaskExecutor(
            Thread.ofVirtual().name(settings.name() + "-", 0).factory());
    this.listener = listen();
    long tick = tickMillis(settings.timeouts());
    var _ = loops.next().scheduleAtFixedRate(this::tick, tick, tick, TimeUnit.MILLISECONDS);
  }

  /**
   * Opens a server: clients can connect when this returns.
   *
   * @throws UncheckedIOException if the address is not available
   */
  public static HttpServer open(HttpSettings settings, Handler handler) {
    try {
      return new HttpServer(settings, handler);
    } catch (IOException failure) {
      throw new UncheckedIOException(
          "cannot listen at " + settings.host() + ":" + settings.port(), failure);
    }
  }

  private Channel listen() throws IOException {
    ServerBootstrap bootstrap =
        new ServerBootstrap()
            .group(loops)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childHandler(
                new ChannelInitializer<SocketChannel>() {
                  @Override
                  protected void initChannel(SocketChannel channel) {
                    accept(channel);
                  }
                });
    var bound =
        bootstrap
            .bind(new InetSocketAddress(settings.host(), settings.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      var _ = loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
      throw new IOException(bound.cause());
    }
    return bound.channel();
  }

  private void accept(SocketChannel channel) {
    if (open.size() >= settings.limits().connections()) {
      var _ = channel.close();
      return;
    }
    ReplyEncoder encoder = encoders.computeIfAbsent(channel.eventLoop(), _ -> new ReplyEncoder());
    FlushQueue flushQueue = flushQueue(channel.eventLoop());
    HttpConnection connection =
        new HttpConnection(channel, handler, workers, settings, encoder, flushQueue, open::remove);
    open.add(connection);
    HttpDecoderConfig limits =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(settings.limits().line())
            .setMaxHeaderSize(settings.limits().head());
    settings.tls().ifPresent(tls -> channel.pipeline().addLast(new FirstByte(tls)));
    channel
        .pipeline()
        .addLast(new ArrivalCounter(connection), new HttpRequestDecoder(limits), connection);
  }

  private FlushQueue flushQueue(EventLoop loop) {
    return flushQueues.computeIfAbsent(loop, FlushQueue::new);
  }

  private static long tickMillis(HttpSettings.Timeouts timeouts) {
    return Math.max(1, timeouts.request().toMillis() / TICKS_PER_TIMEOUT);
  }

  /** Returns how many ticks a duration takes. */
  static long ticks(HttpSettings.Timeouts timeouts, Duration time) {
    return time.toMillis() / tickMillis(timeouts);
  }

  private void tick() {
    open.forEach(HttpConnection::tick);
  }

  /** Returns the number of open connections. */
  public int connections() {
    return open.size();
  }

  /**
   * Returns the host part of a URL for programs on this machine: the address it listens at, or
   * loopback if it listens at all addresses.
   */
  public String host() {
    InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
    String host = bound.getAddress().isAnyLocalAddress() ? "127.0.0.1" : settings.host();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  /** Returns the port it listens at. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /**
   * Stops accepting connections, waits for requests in progress, then closes all connections.
   * Closing again does nothing.
   */
  @Override
  public void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    listener.close().awaitUninterruptibly();
    open.forEach(HttpConnection::end);
    workers.shutdown();
    CountDownLatch drained = new CountDownLatch(flushQueues.size());
    flushQueues.values().forEach(queue -> queue.onDrained(drained::countDown));
    try {
      Duration timeout = settings.timeouts().shutdown();
      if (!drained.await(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.log(
            System.Logger.Level.WARNING,
            "replies still wait for the disk; closing their connections");
      }
      if (!workers.awaitTermination(timeout.toMillis(), TimeUnit.MILLISECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException interrupted) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    // replies that are about to be sent are queued before this task
    loops.forEach(loop -> loop.submit(() -> {}).awaitUninterruptibly());
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
