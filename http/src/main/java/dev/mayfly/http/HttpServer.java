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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * An HTTP/1.1 server, plain and TLS on one port.
 *
 * <p>Few loops serve all connections: each reads the requests of its own, and handles those that
 * the handler calls quick; each of the others has a thread of its own while it is handled. Replies
 * of one connection are in the order of its requests. See decision 0010.
 */
public final class HttpServer implements AutoCloseable {
  private static final int BACKLOG = 1024;
  private static final int TICKS = 10;

  private final HttpSettings settings;
  private final Handler handler;
  private final EventLoopGroup loops;
  private final ExecutorService workers;
  private final Map<EventLoop, ReplyEncoder> encoders = new ConcurrentHashMap<>();
  private final Set<HttpConnection> open = ConcurrentHashMap.newKeySet();
  private final Channel listener;

  private HttpServer(HttpSettings settings, Handler handler) throws IOException {
    this.settings = settings;
    this.handler = handler;
    ThreadFactory loopThread = Thread.ofPlatform().daemon().name("cosmos-loop").factory();
    this.loops =
        new MultiThreadIoEventLoopGroup(settings.loops(), loopThread, SpinningLoop.newFactory());
    this.workers = Executors.newThreadPerTaskExecutor(settings.threads());
    this.listener = listen();
    long tick = tickMillis(settings.patience());
    var _ = loops.next().scheduleAtFixedRate(this::tick, tick, tick, TimeUnit.MILLISECONDS);
  }

  /**
   * Opens a server: clients can connect when this returns.
   *
   * @throws UncheckedIOException when the address cannot be had
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
    if (open.size() >= settings.sizes().connections()) {
      var _ = channel.close();
      return;
    }
    ReplyEncoder encoder = encoders.computeIfAbsent(channel.eventLoop(), _ -> new ReplyEncoder());
    HttpConnection conversation =
        new HttpConnection(channel, handler, workers, settings, encoder, open::remove);
    open.add(conversation);
    HttpDecoderConfig limits =
        new HttpDecoderConfig()
            .setMaxInitialLineLength(settings.sizes().line())
            .setMaxHeaderSize(settings.sizes().head());
    settings.tls().ifPresent(tls -> channel.pipeline().addLast(new FirstByte(tls)));
    channel
        .pipeline()
        .addLast(new ArrivalCounter(conversation), new HttpRequestDecoder(limits), conversation);
  }

  private static long tickMillis(HttpSettings.Patience patience) {
    return Math.max(1, patience.request().toMillis() / TICKS);
  }

  /** After how many ticks so much time has passed. */
  static long ticks(HttpSettings.Patience patience, Duration time) {
    return time.toMillis() / tickMillis(patience);
  }

  private void tick() {
    open.forEach(HttpConnection::tick);
  }

  /** How many connections are open. */
  public int connections() {
    return open.size();
  }

  /**
   * The address that programs on this machine use, in the form of a URL: where it listens, or
   * loopback where it listens at all addresses.
   */
  public String host() {
    InetSocketAddress bound = (InetSocketAddress) listener.localAddress();
    String host = bound.getAddress().isAnyLocalAddress() ? "127.0.0.1" : settings.host();
    return host.indexOf(':') < 0 ? host : "[" + host + "]";
  }

  /** The port it listens at. */
  public int port() {
    return ((InetSocketAddress) listener.localAddress()).getPort();
  }

  /**
   * Accepts nobody any more, lets requests in progress finish, then ends all connections. Closing
   * again does nothing.
   */
  @Override
  public void close() {
    if (loops.isShuttingDown()) {
      return;
    }
    listener.close().awaitUninterruptibly();
    open.forEach(HttpConnection::end);
    workers.shutdown();
    try {
      Duration patience = settings.patience().shutdown();
      if (!workers.awaitTermination(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        workers.shutdownNow();
      }
    } catch (InterruptedException hurried) {
      workers.shutdownNow();
      Thread.currentThread().interrupt();
    }
    // replies that are about to be sent stand in line before this
    loops.forEach(loop -> loop.submit(() -> {}).awaitUninterruptibly());
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
