package dev.mayfly.cosmos;

import dev.mayfly.cosmos.account.Account;
import dev.mayfly.cosmos.auth.AuthResult;
import dev.mayfly.cosmos.auth.Guard;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.ResourceType;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
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
 * Handler of the door: authenticates a request, and answers it or passes it to the {@link Backends}
 * that own the databases. One per server.
 */
final class Dispatcher implements Handler {
  private static final String ITEMS = "/docs";
  private static final String ADDRESSES = "/addresses";
  private static final AuthResult ACCOUNT = new AuthResult(Address.of("/"), Optional.empty());

  /** Larger items are not written on the event loop: parsing and indexing them takes too long. */
  private static final int MAX_INLINE_BYTES = 8 << 10;

  /** An item of 2 MiB, as Cosmos DB allows, with some room for escapes. */
  private static final int MAX_BODY_BYTES = (2 << 20) + (64 << 10);

  private final Guard guard;
  private final Backends backends;
  private final Clock wall;
  private final boolean openAccount;
  private final Routes accountRoutes;

  /**
   * @param wall time of requests that concern no engine
   * @param openAccount whether the account can be read without a signature
   */
  Dispatcher(Guard guard, Backends backends, Account account, Clock wall, boolean openAccount) {
    this.guard = guard;
    this.backends = backends;
    this.accountRoutes = Routes.ofAccount(account);
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
    return request.method().equals("GET") || !backends.sharesCommits()
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
      reply = Replies.failure(failure, activity);
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
  static void requireClient(Request request) {
    if (request.abandoned()) {
      throw new CosmosException(Status.REQUEST_TIMEOUT, "The client has closed its connection.");
    }
  }

  private Reply handle(Request request, Optional<PendingCommit> pending) {
    String activity = activity(request);
    try {
      requireGatewayMode(request);
      AuthResult caller = isOpen(request) ? ACCOUNT : guard.check(request);
      Call call = new Call(request, caller, activity, pending);
      return caller.address().type() == ResourceType.ACCOUNT
          ? account(call)
          : backends.answer(call);
    } catch (RuntimeException failure) {
      return Replies.failure(failure, activity);
    }
  }

  private Reply account(Call call) {
    backends.authorize(call);
    Exchange exchange =
        new Exchange(call.request(), call.address(), wall::now, call.activity(), call.pending());
    return Replies.of(exchange, it -> accountRoutes.find(it).run(it));
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

  @Override
  public Reply refuse(int status, String reason) {
    String activity = newId();
    Status known =
        Arrays.stream(Status.values())
            .filter(one -> one.number() == status)
            .findFirst()
            .orElse(Status.BAD_REQUEST);
    return Replies.failure(new CosmosException(known, CosmosException.errors(reason)), activity);
  }

  private static String activity(Request request) {
    String sent = request.header(HeaderNames.ACTIVITY_ID);
    return sent == null ? newId() : sent;
  }

  private static String newId() {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }
}
