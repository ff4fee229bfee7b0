package dev.mayfly.cosmos.http;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObject;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
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
 * read. All of this is its loop's; the only thing that another thread may do is to handle a
 * request.
 */
final class Conversation extends ChannelInboundHandlerAdapter {
  private static final System.Logger LOG = System.getLogger(Conversation.class.getName());
  private static final int MOST_WAITING = 64;
  private static final long LINGER_MILLIS = 500;

  private final SocketChannel channel;
  private final Handler handler;
  private final ExecutorService workers;
  private final HttpSettings settings;
  private final ReplyEncoder encoder;
  private final Consumer<Conversation> ended;
  private final Queue<Object> waiting = new ArrayDeque<>();
  private final Body body;

  /** The request whose body is being read. */
  private @Nullable HttpRequest head;

  /** Whether a request is being handled, or about to be. */
  private boolean busy;

  /** Whether the last reply has been sent: nothing that still comes in counts. */
  private boolean deaf;

  /** Whether the connection ends with the reply to the request in progress. */
  private volatile boolean last;

  private int quietTicks;
  private int stuckTicks;

  Conversation(
      SocketChannel channel,
      Handler handler,
      ExecutorService workers,
      HttpSettings settings,
      ReplyEncoder encoder,
      Consumer<Conversation> ended) {
    this.channel = channel;
    this.handler = handler;
    this.workers = workers;
    this.settings = settings;
    this.encoder = encoder;
    this.ended = ended;
    this.body = new Body(settings.sizes().body());
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (busy) {
      waiting.add(message);
      if (waiting.size() > MOST_WAITING) {
        channel.config().setAutoRead(false);
      }
    } else {
      accept(context, message);
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
    quietTicks = 0;
    int most = handler.mostBody(target(request.uri()), settings.sizes().body());
    body.limit(most);
    if (HttpUtil.getContentLength(request, 0L) > most) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "Request size is too large");
    } else if (HttpUtil.is100ContinueExpected(request)) {
      var _ = context.writeAndFlush(ReplyEncoder.proceed(context.alloc()));
    }
  }

  private void read(ChannelHandlerContext context, HttpRequest request, HttpContent content) {
    if (!body.add(content.content())) {
      refuse(context, HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, "Request size is too large");
    } else if (content instanceof LastHttpContent) {
      head = null;
      last |= !HttpUtil.isKeepAlive(request);
      handle(context, request(request));
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
      Optional<Reply> reply = handler.atOnce(request);
      Optional<Pending> promised = reply.isPresent() ? Optional.empty() : handler.promise(request);
      if (reply.isPresent()) {
        busy = false;
        send(context, request, reply.get());
      } else if (promised.isPresent()) {
        // the loop does this when all who have something to say have been heard
        channel.eventLoop().execute(() -> keep(context, request, promised.get()));
      } else {
        handOver(context, request, () -> handler.handle(request));
      }
    } catch (RuntimeException | StackOverflowError failure) {
      busy = false;
      send(context, request, failed(request, failure));
    }
  }

  private void keep(ChannelHandlerContext context, Request request, Pending promised) {
    if (promised.ready()) {
      finish(context, request, promised.reply());
    } else {
      handOver(context, request, promised::reply);
    }
  }

  /** Has another thread make the reply, which may wait. */
  private void handOver(ChannelHandlerContext context, Request request, Supplier<Reply> making) {
    try {
      workers.execute(() -> work(context, request, making));
    } catch (RejectedExecutionException closing) {
      var _ = context.close();
    }
  }

  private void work(ChannelHandlerContext context, Request request, Supplier<Reply> making) {
    Reply reply = answer(request, making);
    try {
      channel.eventLoop().execute(() -> finish(context, request, reply));
    } catch (RejectedExecutionException closed) {
      LOG.log(Level.DEBUG, "closed before the reply could be sent", closed);
    }
  }

  private Reply answer(Request request, Supplier<Reply> making) {
    try {
      return making.get();
    } catch (RuntimeException | StackOverflowError failure) {
      return failed(request, failure);
    }
  }

  /** Whatever goes wrong in a request must not take the connections of others with it. */
  private Reply failed(Request request, Throwable failure) {
    LOG.log(Level.ERROR, "a request failed: " + request.method(), failure);
    return handler.refuse(HttpResponseStatus.INTERNAL_SERVER_ERROR.code(), "Internal error");
  }

  private void finish(ChannelHandlerContext context, Request request, Reply reply) {
    busy = false;
    send(context, request, reply);
    while (!busy && !waiting.isEmpty()) {
      accept(context, waiting.remove());
    }
    context.flush();
    if (!busy && !channel.config().isAutoRead()) {
      channel.config().setAutoRead(true);
    }
  }

  private void send(ChannelHandlerContext context, Request request, Reply reply) {
    quietTicks = 0;
    boolean headOnly = request.method().equals(HttpMethod.HEAD.name());
    var written = context.write(encoder.encode(context.alloc(), reply, !last, headOnly));
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
    stuckTicks = channel.isWritable() ? 0 : stuckTicks + 1;
    quietTicks = busy ? 0 : quietTicks + 1;
    long idle = HttpServer.ticks(settings.patience(), settings.patience().idle());
    long request = HttpServer.ticks(settings.patience(), settings.patience().request());
    if (stuckTicks > request || quietTicks > idle) {
      var _ = channel.close();
    } else if (head != null && quietTicks > request) {
      ChannelHandlerContext context = channel.pipeline().context(this);
      refuse(context, HttpResponseStatus.REQUEST_TIMEOUT, "The request took too long to arrive");
    }
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
    channel.config().setAutoRead(channel.isWritable() && waiting.size() <= MOST_WAITING);
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    ended.accept(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    Level level = cause instanceof IOException ? Level.DEBUG : Level.INFO;
    LOG.log(level, "a connection ended: " + cause.getMessage());
    var _ = context.close();
  }
}
