package dev.mayfly.cosmos;

import dev.mayfly.cosmos.auth.AuthResult;
import dev.mayfly.cosmos.auth.Guard;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.SessionToken;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Handler;
import dev.mayfly.http.PendingReply;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.query.limit.Interrupt;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Handler of the door: authenticates a request, finds the {@link Backend} that owns its database,
 * runs the endpoint and adds the headers that every reply has. One per server.
 */
final class Dispatcher implements Handler {
  private static final double HUNDREDTHS = 100;
  private static final String ITEMS = "/docs";
  private static final String ADDRESSES = "/addresses";
  private static final AuthResult ACCOUNT = new AuthResult(Address.of("/"), Optional.empty());

  /** Larger items are not written on the event loop: parsing and indexing them takes too long. */
  private static final int MAX_INLINE_BYTES = 8 << 10;

  /** An item of 2 MiB, as Cosmos DB allows, with some room for escapes. */
  private static final int MAX_BODY_BYTES = (2 << 20) + (64 << 10);

  private static final String VERSION = "version=2.14.0.0";
  private static final String SCHEMA = "1.18";

  private final Guard guard;
  private final Backends backends;
  private final Clock wall;
  private final boolean openAccount;
  private final Routes accountRoutes = Routes.ofAccount();

  /**
   * @param wall time of requests that concern no engine
   * @param openAccount whether the account can be read without a signature
   */
  Dispatcher(Guard guard, Backends backends, Clock wall, boolean openAccount) {
    this.guard = guard;
    this.backends = backends;
    this.wall = wall;
    this.openAccount = openAccount;
  }

  @Override
  public int maxBodyBytes(String target, int defaultBytes) {
    return MAX_BODY_BYTES;
  }

  /** Serves point reads: one lookup in the store. */
  @Override
  public Optional<Reply> tryHandle(Request request) {
    return request.method().equals("GET")
        ? inline(request, new PendingCommit()).map(CommittedReply::reply)
        : Optional.empty();
  }

  /** Serves writes of single items: one lookup in the store, and a shared commit. */
  @Override
  public Optional<PendingReply> tryBegin(Request request) {
    return request.method().equals("GET")
        ? Optional.empty()
        : inline(request, new PendingCommit()).map(reply -> reply);
  }

  private Optional<CommittedReply> inline(Request request, PendingCommit pending) {
    try {
      return isInline(request)
          ? Optional.of(new CommittedReply(handle(request, Optional.of(pending)), pending))
          : Optional.empty();
    } catch (WouldBlock _) {
      return Optional.empty();
    }
  }

  /** Reply that is sent after the commit of its write. */
  private static final class CommittedReply implements PendingReply {
    private final PendingCommit pending;
    private Reply reply;

    /** Whether the writes are committed and flushed, or the reply reports why not. */
    private boolean complete;

    CommittedReply(Reply reply, PendingCommit pending) {
      this.reply = reply;
      this.pending = pending;
    }

    @Override
    public boolean tryComplete() {
      return tryComplete(PendingCommit::tryCommit);
    }

    @Override
    public boolean tryFlush() {
      return tryComplete(PendingCommit::tryFlush);
    }

    private boolean tryComplete(Predicate<PendingCommit> committing) {
      try {
        complete = committing.test(pending);
      } catch (RuntimeException failure) {
        fail(failure);
      }
      return complete;
    }

    @Override
    public boolean wakeAfterFlush(Runnable wake) {
      return pending.wakeAfterFlush(wake);
    }

    @Override
    public Reply reply() {
      try {
        if (!complete) {
          pending.await();
        }
      } catch (RuntimeException failure) {
        fail(failure);
      }
      return reply;
    }

    private void fail(RuntimeException failure) {
      String activity = String.valueOf(reply.header(HeaderNames.ACTIVITY_ID));
      reply = finish(Failures.of(failure).reply(activity), activity, 0);
      complete = true;
    }
  }

  /**
   * Whether a request can run on the event loop: it concerns one item by its id. A rid needs a
   * search, and so may the scope of a resource token; an explanation may need the disk. A question
   * mark is ambiguous, see {@link Guard#check}.
   */
  private static boolean isInline(Request request) {
    String path = request.path();
    int items = path.indexOf(ITEMS);
    return items > 0
        && path.length() == request.target().length()
        && single(request, path, items + ITEMS.length())
        && request.body().length <= MAX_INLINE_BYTES
        && request.header(HeaderNames.EXPLAIN_EXPIRY) == null
        && !rids(path, items)
        && signed(request.header(HeaderNames.AUTHORIZATION));
  }

  /** Whether a request addresses one item, or creates one. */
  private static boolean single(Request request, String path, int end) {
    if (end == path.length()) {
      return Verb.writesOne(request);
    }
    return path.charAt(end) == '/' && path.indexOf('/', end + 1) < 0;
  }

  /** Whether the request is signed with the master key; the header may be percent-encoded. */
  private static boolean signed(@Nullable String authorization) {
    return authorization != null
        && (authorization.startsWith("type%3Dmaster")
            || authorization.startsWith("type%3dmaster")
            || authorization.startsWith("type=master"));
  }

  private static boolean rids(String path, int end) {
    int padding = path.indexOf("==");
    return (padding > 0 && padding < end) || path.indexOf("%3D") > 0;
  }

  @Override
  public Reply handle(Request request) {
    return Interrupt.run(() -> requireClient(request), () -> handle(request, Optional.empty()));
  }

  /** Stops work if the client has disconnected. */
  private static void requireClient(Request request) {
    if (request.abandoned()) {
      throw new CosmosException(Status.REQUEST_TIMEOUT, "The client has closed its connection.");
    }
  }

  private Reply handle(Request request, Optional<PendingCommit> pending) {
    String activity = activity(request);
    try {
      requireGatewayMode(request);
      AuthResult caller = isOpen(request) ? ACCOUNT : guard.check(request);
      Address address = caller.address();
      caller
          .permission()
          .ifPresent(link -> owner(AuthResult.databaseOf(link)).authorize(link, request, address));
      if (address.type() == ResourceType.ACCOUNT) {
        Exchange exchange = new Exchange(request, address, wall::now, activity, pending);
        return run(exchange, it -> accountRoutes.find(it).run(it));
      }
      Backend backend = owner(address.database());
      return run(new Exchange(request, address, backend::now, activity, pending), backend::run);
    } catch (RuntimeException failure) {
      return finish(Failures.of(failure).reply(activity), activity, 0);
    }
  }

  /** Whether a request reads the account, as wait strategies for the emulators do. */
  private boolean isOpen(Request request) {
    return openAccount
        && request.method().equals("GET")
        && request.path().equals("/")
        && request.header(HeaderNames.AUTHORIZATION) == null;
  }

  /**
   * Rejects clients in direct mode: they request the addresses of replicas, to connect to them by a
   * binary protocol. No status makes them use the gateway instead. 400 is not retried.
   */
  private static void requireGatewayMode(Request request) {
    String path = request.path();
    if (path.equals(ADDRESSES) || path.startsWith(ADDRESSES + "/") || path.startsWith("//addr")) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          "Mayfly supports gateway mode only, and this client uses direct mode: select gateway"
              + " mode in the options of the client (Java: gatewayMode(); .NET: ConnectionMode ="
              + " ConnectionMode.Gateway).");
    }
  }

  private Backend owner(String database) {
    return backends.owner(database).orElseThrow(CosmosException::notFound);
  }

  private static Reply run(Exchange exchange, Endpoint endpoint) {
    Reply reply;
    try {
      reply = endpoint.run(exchange);
    } catch (RuntimeException failure) {
      reply = Failures.of(failure).reply(exchange.activityId());
      if (exchange.charged() == 0) {
        boolean wrong = reply.status() == Status.BAD_REQUEST.number();
        exchange.charge(wrong ? Charge.REFUSED : Charge.MISS);
      }
    }
    formatToken(exchange.request(), reply);
    return finish(exchange.finish(reply), exchange.activityId(), exchange.charged());
  }

  /** Writes the session token in the old form for clients that do not know the vector form. */
  private static void formatToken(Request request, Reply reply) {
    String version = request.header(HeaderNames.VERSION);
    String token = reply.header(HeaderNames.SESSION_TOKEN);
    if (token != null && version != null && version.compareTo(SessionToken.SINCE) < 0) {
      reply.header(HeaderNames.SESSION_TOKEN, SessionToken.parse(token).simple());
    }
  }

  @Override
  public Reply refuse(int status, String reason) {
    String activity = newId();
    Status known =
        Arrays.stream(Status.values())
            .filter(one -> one.number() == status)
            .findFirst()
            .orElse(Status.BAD_REQUEST);
    return finish(
        new CosmosException(known, CosmosException.errors(reason)).reply(activity), activity, 0);
  }

  private static String activity(Request request) {
    String sent = request.header(HeaderNames.ACTIVITY_ID);
    return sent == null ? newId() : sent;
  }

  private static String newId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  private static Reply finish(Reply reply, String activity, double charged) {
    return reply
        .header(HeaderNames.CHARGE, units(charged))
        .header(HeaderNames.ACTIVITY_ID, activity)
        .header(HeaderNames.SERVICE_VERSION, VERSION)
        .header(HeaderNames.GATEWAY_VERSION, VERSION)
        .header(HeaderNames.SCHEMA_VERSION, SCHEMA);
  }

  /** Formats request units with two decimals; whole numbers without a point. */
  private static String units(double charged) {
    long hundredths = Math.round(charged * HUNDREDTHS);
    return hundredths % (long) HUNDREDTHS == 0
        ? Long.toString(hundredths / (long) HUNDREDTHS)
        : Double.toString(hundredths / HUNDREDTHS);
  }
}
