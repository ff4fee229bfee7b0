package dev.mayfly.http;

import dev.mayfly.net.ByteBudget;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One connection: requests in, replies out, one at a time and in order.
 *
 * <p>What comes in while a request is being handled waits; when too much waits, nothing more is
 * read. Nothing is read either while there is no memory for the body of a request. All of this is
 * its loop's; the only thing that another thread may do is to handle a request.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger(HttpConnection.class.getName());
  private static final int MOST_WAITING = 64;
  private static final long LINGER_MILLIS = 500;

  /** What is reserved for a reply before it is known how large it is. */
  private static final int USUAL_REPLY = 1 << 20;

  /** How many ticks a client may keep memory that others wait for without sending or reading. */
  private static final int SHORT_TICKS = 1;

  private final SocketChannel channel;
  private final Handler handler;
  private final ExecutorService workers;
  private final HttpSettings settings;
  private final ReplyEncoder encoder;
  private final Consumer<HttpConnection> ended;
  private final Queue<Object> waiting = new ArrayDeque<>();
  private final Body body;
  private final ByteBudget.Claim bodyMemory;

  /** What the reply that another thread makes may use. */
  private ByteBudget.Claim replyMemory;

  /** The request whose body is being read. */
  private @Nullable HttpRequest head;

  /** Whether a request is being handled, or about to be. */
  private boolean busy;

  /** Whether a request has begun whose body there is no memory for yet. */
  private boolean paused;

  /** Whether a request has ever come, and whether bytes have come since the last one. */
  private boolean greeted;

  private boolean arriving;

  /** The request that another thread handles. */
  private @Nullable Request handedOver;

  /** Whether the last reply has been sent: nothing that still comes in counts. */
  private boolean deaf;

  /** Whether the connection ends with the reply to the request in progress. */
  private volatile boolean last;

  private int quietTicks;
  private int arrivingTicks;
  private int stuckTicks;

  HttpConnection(
      SocketChannel channel,
      Handler handler,
      ExecutorService workers,
      HttpSettings settings,
      ReplyEncoder encoder,
      Consumer<HttpConnection> ended) {
    this.channel = channel;
    this.handler = handler;
    this.workers = workers;
    this.settings = settings;
    this.encoder = encoder;
    this.ended = ended;
    this.body = new Body(settings.sizes().body());
    this.bodyMemory = settings.memory().claim(this::close);
    this.replyMemory = settings.memory().claim(this::close);
  }

  /** Takes note that bytes have come. On the loop. */
  void arriving() {
    arriving = true;
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (busy || paused || !waiting.isEmpty() || !channel.isWritable()) {
      waiting.add(message);
      regulate();
    } else {
      accept(context, message);
    }
  }

  /** Reads on, or does not, as there is room for what comes. */
  private void regulate() {
    boolean read = !paused && channel.isWritable() && waiting.size() <= MOST_WAITING;
    if (channel.config().isAutoRead() != read) {
      channel.config().setAutoRead(read);
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    context.flush();
  }

  private void accept(ChannelHandlerContext context, Object message) {
    try {
      HttpObject part = (HttpObject) message;
      if (deaf) {
        LOG.log(Level.TRACE, "not listening any more");
      } else if (part.decoderResult().isFailure()) {
        refuse(context, part.decoderResult().cause());
      } else if (part instanceof HttpRequest request) {
        begin(context, request);
      } else if (part instanceof HttpContent content && head != null) {
        read(context, head, content);
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  private void begin(ChannelHandlerContext context, HttpRequest request) {
    head = request;
    greeted = true;
    arriving = false;
    quietTicks = 0;
    int most = handler.mostBody(target(request.uri()), settings.sizes().body());
    body.limit(most);
    long length = HttpUtil.getContentLength(request, 0L);
    if (length > most) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "Request size is too large");
    } else if (!hasHost(request)) {
      refuse(context, HttpResponseStatus.BAD_REQUEST, "A request has one Host header");
    } else if (!knownCoding(request)) {
      refuse(context, HttpResponseStatus.NOT_IMPLEMENTED, "The only Transfer-Encoding is chunked");
    } else if (claim(context, length)) {
      proceed(context, request);
    }
  }

  private static boolean hasHost(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1));
  }

  /** Where a body ends is known of one coding alone. */
  private static boolean knownCoding(HttpRequest request) {
    List<String> codings = request.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING);
    return codings.isEmpty()
        || (codings.size() == 1
            && HttpHeaderValues.CHUNKED.contentEqualsIgnoreCase(codings.getFirst().strip()));
  }

  private static void proceed(ChannelHandlerContext context, HttpRequest request) {
    if (HttpUtil.is100ContinueExpected(request)) {
      var _ = context.writeAndFlush(ReplyEncoder.proceed(context.alloc()));
    }
  }

  /** Claims memory for a body; false when there is none now, and nothing is read until then. */
  private boolean claim(ChannelHandlerContext context, long bytes) {
    if (bytes <= ByteBudget.FREE_BYTES || bodyMemory.held() > 0) {
      return true;
    }
    paused =
        !bodyMemory.message(
            bytes, () -> channel.eventLoop().execute(() -> surviving(() -> goOn(context))));
    regulate();
    return !paused;
  }

  /** Goes on to read a body, now that there is memory for it. */
  private void goOn(ChannelHandlerContext context) {
    paused = false;
    HttpRequest request = head;
    if (request != null) {
      proceed(context, request);
    }
    acceptWaiting(context);
  }

  private void read(ChannelHandlerContext context, HttpRequest request, HttpContent content) {
    if (!body.add(content.content())) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "Request size is too large");
      return;
    }
    if (content instanceof LastHttpContent) {
      arriving = false;
      head = null;
      last |= !HttpUtil.isKeepAlive(request);
      handle(context, request(request));
    } else if (body.length() > ByteBudget.FREE_BYTES) {
      // a body in chunks does not say how long it gets
      claim(context, body.limit());
    }
  }

  private Request request(HttpRequest request) {
    return new Request(
        request.method().name(),
        target(request.uri()),
        request.headers(),
        body.take(),
        channel.pipeline().get(SslHandler.class) != null,
        channel.remoteAddress());
  }

  /** A target may have the scheme and the host in front of the path. */
  private static String target(String uri) {
    if (uri.startsWith("/")) {
      return uri;
    }
    int host = uri.indexOf("://");
    int path = host < 0 ? -1 : uri.indexOf('/', host + 3);
    return path < 0 ? "/" : uri.substring(path);
  }

  private void handle(ChannelHandlerContext context, Request request) {
    busy = true;
    try {
      // a reply that is made here cannot wait for memory
      boolean here = !settings.memory().repliesUsedUp();
      Optional<Reply> reply = here ? handler.atOnce(request) : Optional.empty();
      Optional<PendingReplies> promised =
          here && reply.isEmpty() ? handler.promise(request) : Optional.empty();
      if (reply.isPresent()) {
        busy = false;
        send(context, request, reply.get());
      } else if (promised.isPresent()) {
        // the loop does this when all who have something to say have been heard
        channel.eventLoop().execute(() -> keep(context, request, promised.get()));
      } else {
        handOver(context, request, USUAL_REPLY, () -> handler.handle(request));
      }
    } catch (RuntimeException | Error failure) {
      busy = false;
      send(context, request, failed(request, failure));
    }
  }

  private void keep(ChannelHandlerContext context, Request request, PendingReplies promised) {
    surviving(
        () -> {
          if (promised.ready()) {
            finish(context, request, promised.reply());
          } else {
            handOver(context, request, 0, promised::reply);
          }
        });
  }

  /**
   * Has another thread make the reply, which may wait.
   *
   * @param bytes what it waits for before it begins: memory for the reply
   */
  private void handOver(
      ChannelHandlerContext context, Request request, int bytes, Supplier<Reply> making) {
    ByteBudget.Claim memory = settings.memory().claim(this::close);
    replyMemory = memory;
    handedOver = request;
    try {
      workers.execute(() -> work(context, request, memory, bytes, making));
    } catch (RejectedExecutionException closing) {
      var _ = context.close();
    }
  }

  private void work(
      ChannelHandlerContext context,
      Request request,
      ByteBudget.Claim memory,
      int bytes,
      Supplier<Reply> making) {
    try {
      memory.awaitReply(bytes, () -> {});
      Reply reply = answer(request, making);
      memory.settleReply(reply.body().length);
      channel.eventLoop().execute(() -> surviving(() -> finish(context, request, reply)));
    } catch (RejectedExecutionException closed) {
      LOG.log(Level.DEBUG, "closed before the reply could be sent", closed);
    } catch (RuntimeException | Error failure) {
      // whatever it is, the client must not be left waiting
      close();
      LOG.log(Level.ERROR, "internal error: closing a connection", failure);
    }
  }

  private Reply answer(Request request, Supplier<Reply> making) {
    try {
      return making.get();
    } catch (RuntimeException | Error failure) {
      return failed(request, failure);
    }
  }

  /** Does something for the client, on the loop, and ends the connection when that fails. */
  private void surviving(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error failure) {
      close();
      LOG.log(Level.ERROR, "internal error: closing a connection", failure);
    }
  }

  /** Whatever goes wrong in a request must not take the connections of others with it. */
  private Reply failed(Request request, Throwable failure) {
    LOG.log(
        Level.ERROR,
        "internal error in request " + request.method() + " " + request.path(),
        failure);
    return handler.refuse(HttpResponseStatus.INTERNAL_SERVER_ERROR.code(), "Internal error");
  }

  private void finish(ChannelHandlerContext context, Request request, Reply reply) {
    busy = false;
    handedOver = null;
    send(context, request, reply);
    acceptWaiting(context);
  }

  /** Takes what came meanwhile, as long as the client reads what it is answered. */
  private void acceptWaiting(ChannelHandlerContext context) {
    while (!busy && !paused && channel.isWritable() && !waiting.isEmpty()) {
      accept(context, waiting.remove());
    }
    context.flush();
    regulate();
  }

  private void send(ChannelHandlerContext context, Request request, Reply reply) {
    quietTicks = 0;
    bodyMemory.release();
    boolean headOnly = request.method().equals(HttpMethod.HEAD.name());
    ByteBuf encoded = encoder.encode(context.alloc(), reply, !last, headOnly);
    ByteBudget.Claim memory = replyMemory;
    memory.countReply(encoded.readableBytes());
    var written = context.write(encoded);
    if (memory.held() > 0) {
      replyMemory = settings.memory().claim(this::close);
      written.addListener(_ -> memory.close());
    }
    if (last) {
      deaf = true;
      context.flush();
      var _ = written.addListener(ChannelFutureListener.CLOSE);
    }
  }

  private void refuse(ChannelHandlerContext context, Throwable cause) {
    HttpResponseStatus status =
        switch (cause) {
          case TooLongHttpHeaderException _ -> HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE;
          case TooLongHttpLineException _ -> HttpResponseStatus.REQUEST_URI_TOO_LONG;
          default -> HttpResponseStatus.BAD_REQUEST;
        };
    refuse(context, status, status.reasonPhrase());
  }

  /**
   * Says no and ends the connection, a moment later: a client that is still writing would miss the
   * reply if nobody read on.
   */
  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String reason) {
    head = null;
    deaf = true;
    bodyMemory.release();
    Reply reply = handler.refuse(status.code(), reason);
    var _ = context.writeAndFlush(encoder.encode(context.alloc(), reply, false, false));
    var _ = context.executor().schedule(this::close, LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void close() {
    var _ = channel.close();
  }

  /** Some time has passed. From any thread. */
  void tick() {
    channel.eventLoop().execute(this::checkPatience);
  }

  /** Ends the connection of a client that is too slow or no longer there. */
  private void checkPatience() {
    boolean atWork = busy || paused;
    stuckTicks = channel.isWritable() ? 0 : stuckTicks + 1;
    quietTicks = atWork ? 0 : quietTicks + 1;
    arrivingTicks = atWork || head != null || (greeted && !arriving) ? 0 : arrivingTicks + 1;
    if (stuckTicks > mostStuck() || quietTicks > ticks(settings.patience().idle())) {
      var _ = channel.close();
    } else if (arrivingTicks > ticks(settings.patience().head())) {
      // perhaps in the middle of TLS: it would not understand a reply
      var _ = channel.close();
    } else if (head != null && quietTicks > mostQuiet()) {
      ChannelHandlerContext context = channel.pipeline().context(this);
      refuse(context, HttpResponseStatus.REQUEST_TIMEOUT, "The request took too long to arrive");
    }
  }

  private long ticks(Duration patience) {
    return HttpServer.ticks(settings.patience(), patience);
  }

  /** How many ticks a client may take to read what it is answered. */
  private long mostStuck() {
    long usual = ticks(settings.patience().request());
    return settings.memory().repliesUsedUp() ? Math.min(SHORT_TICKS, usual) : usual;
  }

  /** How many ticks a client may take to send the body of a request. */
  private long mostQuiet() {
    long usual = ticks(settings.patience().request());
    return bodyMemory.isShort() ? Math.min(SHORT_TICKS, usual) : usual;
  }

  /** Ends the connection: now, or with the reply to the request in progress. */
  void end() {
    channel
        .eventLoop()
        .execute(
            () -> {
              last = true;
              if (!busy) {
                var _ = channel.close();
              }
            });
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    if (channel.isWritable()) {
      // later: this may be called in the midst of a flush
      channel.eventLoop().execute(() -> surviving(() -> acceptWaiting(context)));
    } else {
      regulate();
    }
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (handedOver != null) {
      handedOver.abandon();
    }
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    bodyMemory.close();
    replyMemory.close();
    ended.accept(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Level level = cause instanceof IOException ? Level.DEBUG : Level.INFO;
    LOG.log(level, "a connection ended: " + cause.getMessage());
    var _ = context.close();
  }
}
