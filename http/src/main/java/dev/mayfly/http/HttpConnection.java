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
 * One connection: reads requests and writes replies, one at a time and in order.
 *
 * <p>Input that arrives while a request is being handled is queued. The connection stops reading
 * while the queue is full, while there is no memory for the body of a request, or while the client
 * does not read its replies. All state belongs to the event loop; other threads only run the
 * handler.
 */
final class HttpConnection extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger(HttpConnection.class.getName());
  private static final int MAX_QUEUED = 64;
  private static final long LINGER_MILLIS = 500;

  /** Memory reserved for a reply before its size is known. */
  private static final int INITIAL_REPLY_BYTES = 1 << 20;

  /** Ticks that a client may stall while it holds memory that others wait for. */
  private static final int SHORT_TICKS = 1;

  private final SocketChannel channel;
  private final Handler handler;
  private final ExecutorService workers;
  private final HttpSettings settings;
  private final ReplyEncoder encoder;
  private final FlushQueue flushQueue;
  private final Consumer<HttpConnection> ended;
  private final Queue<Object> waiting = new ArrayDeque<>();
  private final Body body;
  private final ByteBudget.Claim bodyMemory;

  /** Memory of the reply in progress. */
  private ByteBudget.Claim replyMemory;

  /** The request whose body is being read. */
  private @Nullable HttpRequest head;

  /** Whether a request is being handled, or about to be. */
  private boolean busy;

  /** Whether a request waits for memory for its body. */
  private boolean paused;

  /** Whether a request has ever arrived. */
  private boolean requestSeen;

  /** Whether bytes have arrived since the last request. */
  private boolean arriving;

  /** The request that a worker thread handles. */
  private @Nullable Request handedOver;

  /** Whether the last reply has been sent; further input is discarded. */
  private boolean discardInput;

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
      FlushQueue flushQueue,
      Consumer<HttpConnection> ended) {
    this.channel = channel;
    this.handler = handler;
    this.workers = workers;
    this.settings = settings;
    this.encoder = encoder;
    this.flushQueue = flushQueue;
    this.ended = ended;
    this.body = new Body(settings.limits().body());
    this.bodyMemory = settings.memory().claim(this::close);
    this.replyMemory = settings.memory().claim(this::close);
  }

  /** Records that bytes have arrived. On the event loop. */
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

  /** Enables or disables reading, depending on the queue, the memory and the client. */
  private void regulate() {
    boolean read = !paused && channel.isWritable() && waiting.size() <= MAX_QUEUED;
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
      if (discardInput) {
        LOG.log(Level.TRACE, "input after the last reply is discarded");
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
    requestSeen = true;
    arriving = false;
    quietTicks = 0;
    int most = handler.maxBodyBytes(target(request.uri()), settings.limits().body());
    body.limit(most);
    long length = HttpUtil.getContentLength(request, 0L);
    if (length > most) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "Request size is too large");
    } else if (!hasHost(request)) {
      refuse(
          context, HttpResponseStatus.BAD_REQUEST, "The request must have exactly one Host header");
    } else if (!knownCoding(request)) {
      refuse(context, HttpResponseStatus.NOT_IMPLEMENTED, "Transfer-Encoding must be chunked");
    } else if (claim(context, length)) {
      proceed(context, request);
    }
  }

  private static boolean hasHost(HttpRequest request) {
    int hosts = request.headers().getAll(HttpHeaderNames.HOST).size();
    return hosts == 1 || (hosts == 0 && !request.protocolVersion().equals(HttpVersion.HTTP_1_1));
  }

  /** Only chunked has a defined end of the body. */
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

  /** Claims memory for a body; returns false and stops reading if it has to wait. */
  private boolean claim(ChannelHandlerContext context, long bytes) {
    if (bytes <= ByteBudget.FREE_BYTES || bodyMemory.held() > 0) {
      return true;
    }
    paused =
        !bodyMemory.message(
            bytes,
            () -> channel.eventLoop().execute(() -> closeOnFailure(() -> resumeReading(context))));
    regulate();
    return !paused;
  }

  /** Resumes reading a body after its memory was granted. */
  private void resumeReading(ChannelHandlerContext context) {
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
      // the length of a chunked body is unknown: claim the limit
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

  /** Returns the target without scheme and host, if the client sent an absolute URI. */
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
    flushQueue.served(this);
    try {
      // a reply that is built on the event loop cannot wait for memory
      boolean inline = !settings.memory().repliesUsedUp();
      Optional<Reply> reply = inline ? handler.tryHandle(request) : Optional.empty();
      Optional<PendingReply> pending =
          inline && reply.isEmpty() ? handler.tryBegin(request) : Optional.empty();
      if (reply.isPresent()) {
        busy = false;
        send(context, request, reply.get());
      } else if (pending.isPresent()) {
        // runs after all connections of this round were read, so that they share the commit
        channel.eventLoop().execute(() -> complete(context, request, pending.get()));
      } else {
        handOver(context, request, INITIAL_REPLY_BYTES, () -> handler.handle(request));
      }
    } catch (RuntimeException | Error failure) {
      busy = false;
      send(context, request, failed(request, failure));
    }
  }

  private void complete(ChannelHandlerContext context, Request request, PendingReply pending) {
    closeOnFailure(
        () -> {
          if (pending.tryComplete() || (flushQueue.servesOneClient() && pending.tryFlush())) {
            finish(context, request, pending.reply());
          } else if (pending.wakeAfterFlush(flushQueue.signal())) {
            flushQueue.add(() -> complete(context, request, pending));
          } else {
            handOver(context, request, 0, pending::reply);
          }
        });
  }

  /**
   * Computes the reply on a worker thread, which may block.
   *
   * @param bytes memory for the reply, which the worker waits for first
   */
  private void handOver(
      ChannelHandlerContext context, Request request, int bytes, Supplier<Reply> replies) {
    ByteBudget.Claim memory = settings.memory().claim(this::close);
    replyMemory = memory;
    handedOver = request;
    try {
      workers.execute(() -> work(context, request, memory, bytes, replies));
    } catch (RejectedExecutionException closing) {
      var _ = context.close();
    }
  }

  private void work(
      ChannelHandlerContext context,
      Request request,
      ByteBudget.Claim memory,
      int bytes,
      Supplier<Reply> replies) {
    try {
      memory.awaitReply(bytes, () -> {});
      Reply reply = answer(request, replies);
      memory.settleReply(reply.body().length);
      channel.eventLoop().execute(() -> closeOnFailure(() -> finish(context, request, reply)));
    } catch (RejectedExecutionException closed) {
      LOG.log(Level.DEBUG, "connection closed before the reply was sent", closed);
    } catch (RuntimeException | Error failure) {
      // close on any failure, or the client would wait forever
      close();
      LOG.log(Level.ERROR, "internal error: closing a connection", failure);
    }
  }

  private Reply answer(Request request, Supplier<Reply> replies) {
    try {
      return replies.get();
    } catch (RuntimeException | Error failure) {
      return failed(request, failure);
    }
  }

  /** Runs work on the event loop and closes the connection if it fails. */
  private void closeOnFailure(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException | Error failure) {
      close();
      LOG.log(Level.ERROR, "internal error: closing a connection", failure);
    }
  }

  /** A failure of one request must not affect other connections. */
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

  /** Accepts queued input as long as the client reads its replies. */
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
      discardInput = true;
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
   * Sends an error and closes the connection a moment later: a client that is still writing would
   * miss the reply if the server closed at once.
   */
  private void refuse(ChannelHandlerContext context, HttpResponseStatus status, String reason) {
    head = null;
    discardInput = true;
    bodyMemory.release();
    Reply reply = handler.refuse(status.code(), reason);
    var _ = context.writeAndFlush(encoder.encode(context.alloc(), reply, false, false));
    var _ = context.executor().schedule(this::close, LINGER_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void close() {
    var _ = channel.close();
  }

  /** Checks the timeouts. From any thread. */
  void tick() {
    channel.eventLoop().execute(this::checkTimeouts);
  }

  /** Closes the connection if the client is too slow or gone. */
  private void checkTimeouts() {
    boolean working = busy || paused;
    stuckTicks = channel.isWritable() ? 0 : stuckTicks + 1;
    quietTicks = working ? 0 : quietTicks + 1;
    arrivingTicks = working || head != null || (requestSeen && !arriving) ? 0 : arrivingTicks + 1;
    if (stuckTicks > maxStuckTicks() || quietTicks > ticks(settings.timeouts().idle())) {
      var _ = channel.close();
    } else if (arrivingTicks > ticks(settings.timeouts().head())) {
      // no reply: the client may be in the middle of a TLS handshake
      var _ = channel.close();
    } else if (head != null && quietTicks > maxQuietTicks()) {
      ChannelHandlerContext context = channel.pipeline().context(this);
      refuse(context, HttpResponseStatus.REQUEST_TIMEOUT, "The request took too long to arrive");
    }
  }

  private long ticks(Duration timeout) {
    return HttpServer.ticks(settings.timeouts(), timeout);
  }

  /** Returns how many ticks a client may take to read a reply. */
  private long maxStuckTicks() {
    long usual = ticks(settings.timeouts().request());
    return settings.memory().repliesUsedUp() ? Math.min(SHORT_TICKS, usual) : usual;
  }

  /** Returns how many ticks a client may take to send the body of a request. */
  private long maxQuietTicks() {
    long usual = ticks(settings.timeouts().request());
    return bodyMemory.isShort() ? Math.min(SHORT_TICKS, usual) : usual;
  }

  /** Closes the connection: now, or after the reply to the request in progress. */
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
      // deferred: this may be called during a flush
      channel.eventLoop().execute(() -> closeOnFailure(() -> acceptWaiting(context)));
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
    LOG.log(level, "connection closed: " + cause.getMessage());
    var _ = context.close();
  }
}
