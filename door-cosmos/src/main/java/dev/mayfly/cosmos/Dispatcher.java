package dev.mayfly.cosmos;

import dev.mayfly.cosmos.auth.Guard;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.SessionToken;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.cosmos.rest.Verb;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.PendingCommit;
import dev.mayfly.engine.WouldBlock;
import dev.mayfly.http.Handler;
import dev.mayfly.http.PendingReplies;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.query.Interrupt;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** Takes requests to their endpoints and puts on replies what all of them have. */
final class Dispatcher implements Handler {
  private static final int WRONG_CONTAINER = 1024;
  private static final double HUNDREDTHS = 100;
  private static final String ITEMS = "/docs";

  /** Longer bodies take their time to be read, and hold more to be indexed. */
  private static final int MOST_AT_ONCE = 8 << 10;

  private static final String VERSION = "version=2.14.0.0";
  private static final String SCHEMA = "1.18";

  private final Engine engine;
  private final Guard guard;
  private final Containers containers;
  private final Routes routes;

  Dispatcher(Engine engine, Guard guard, Containers containers, Routes routes) {
    this.engine = engine;
    this.guard = guard;
    this.containers = containers;
    this.routes = routes;
  }

  /** Reads of items by their ids: one look at the store. */
  @Override
  public Optional<Reply> atOnce(Request request) {
    return request.method().equals("GET")
        ? impatient(request, new PendingCommit()).map(Promised::reply)
        : Optional.empty();
  }

  /** Writes of single items: one look at the store, and a commit that is shared. */
  @Override
  public Optional<PendingReplies> promise(Request request) {
    return request.method().equals("GET")
        ? Optional.empty()
        : impatient(request, new PendingCommit()).map(promised -> promised);
  }

  private Optional<Promised> impatient(Request request, PendingCommit pending) {
    try {
      return quick(request)
          ? Optional.of(new Promised(handle(request, Optional.of(pending)), pending))
          : Optional.empty();
    } catch (WouldBlock _) {
      return Optional.empty();
    }
  }

  /** A reply that is true when what it promises is committed. */
  private static final class Promised implements PendingReplies {
    private final PendingCommit pending;
    private Reply reply;

    Promised(Reply reply, PendingCommit pending) {
      this.reply = reply;
      this.pending = pending;
    }

    @Override
    public boolean ready() {
      try {
        return pending.tryCommit();
      } catch (RuntimeException failure) {
        broken(failure);
        return true;
      }
    }

    @Override
    public Reply reply() {
      try {
        pending.await();
      } catch (RuntimeException failure) {
        broken(failure);
      }
      return reply;
    }

    private void broken(RuntimeException failure) {
      String activity = String.valueOf(reply.header(HeaderNames.ACTIVITY_ID));
      reply = finish(Failures.of(failure).reply(activity), activity, 0);
    }
  }

  /**
   * What is to one item by its id. By their rids they have to be sought, and what tokens are for
   * may have to be. What a question mark means is not known yet.
   */
  private static boolean quick(Request request) {
    String path = request.path();
    int items = path.indexOf(ITEMS);
    return items > 0
        && path.length() == request.target().length()
        && single(request, path, items + ITEMS.length())
        && request.body().length <= MOST_AT_ONCE
        && !rids(path, items)
        && signed(request.header(HeaderNames.AUTHORIZATION));
  }

  /** Whether a request is to one item, or brings one. */
  private static boolean single(Request request, String path, int end) {
    if (end == path.length()) {
      return Verb.bringsOne(request);
    }
    return path.charAt(end) == '/' && path.indexOf('/', end + 1) < 0;
  }

  /** Whether the master key is used, written plainly or with escapes. */
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

  /** Ends work for which nobody waits any more. */
  private static void requireClient(Request request) {
    if (request.abandoned()) {
      throw new CosmosException(Status.REQUEST_TIMEOUT, "The client has closed its connection.");
    }
  }

  private Reply handle(Request request, Optional<PendingCommit> pledge) {
    String activity = activity(request);
    try {
      Address address = guard.check(request);
      return handle(new Exchange(request, address, engine.now(), activity, pledge));
    } catch (RuntimeException failure) {
      return finish(Failures.of(failure).reply(activity), activity, 0);
    }
  }

  private Reply handle(Exchange exchange) {
    Reply reply;
    try {
      checkIntended(exchange);
      reply = routes.find(exchange).run(exchange);
    } catch (RuntimeException failure) {
      reply = Failures.of(failure).reply(exchange.activityId());
      if (exchange.charged() == 0) {
        boolean wrong = reply.status() == Status.BAD_REQUEST.number();
        exchange.charge(wrong ? Charge.REFUSED : Charge.MISS);
      }
    }
    spellToken(exchange.request(), reply);
    return finish(exchange.finish(reply), exchange.activityId(), exchange.charged());
  }

  /** Clients that were made before tokens had several parts understand none that has. */
  private static void spellToken(Request request, Reply reply) {
    String version = request.header(HeaderNames.VERSION);
    String token = reply.header(HeaderNames.SESSION_TOKEN);
    if (token != null && version != null && version.compareTo(SessionToken.SINCE) < 0) {
      reply.header(HeaderNames.SESSION_TOKEN, SessionToken.parse(token).simple());
    }
  }

  /** A client that knows a container by its rid as well must not get to another of that name. */
  private void checkIntended(Exchange exchange) {
    String intended = exchange.request().header(HeaderNames.INTENDED_RID);
    if (intended == null || exchange.address().container().isEmpty()) {
      return;
    }
    Optional<Container> found = containers.container(exchange.address());
    if (found.isPresent() && !found.get().rid().text().equals(intended)) {
      throw new CosmosException(
          Status.BAD_REQUEST,
          WRONG_CONTAINER,
          CosmosException.errors(
              "The container of that name is not the one that the client knows."));
    }
  }

  @Override
  public Reply refuse(int status, String reason) {
    String activity = fresh();
    Status known =
        Arrays.stream(Status.values())
            .filter(one -> one.number() == status)
            .findFirst()
            .orElse(Status.BAD_REQUEST);
    return finish(
        new CosmosException(known, CosmosException.errors(reason)).reply(activity), activity, 0);
  }

  private static String activity(Request request) {
    String told = request.header(HeaderNames.ACTIVITY_ID);
    return told == null ? fresh() : told;
  }

  private static String fresh() {
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

  /** To the hundredth, whole numbers without a point. */
  private static String units(double charged) {
    long hundredths = Math.round(charged * HUNDREDTHS);
    return hundredths % (long) HUNDREDTHS == 0
        ? Long.toString(hundredths / (long) HUNDREDTHS)
        : Double.toString(hundredths / HUNDREDTHS);
  }
}
