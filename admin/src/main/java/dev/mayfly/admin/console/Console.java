package dev.mayfly.admin.console;

import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminException;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.console.Logins;
import dev.mayfly.console.Logins.Login;
import dev.mayfly.cosmos.auth.RequestSigner;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Namespace;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Request;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Requests of the web console of one server: the users that may send them, and the answers. Safe
 * for many threads.
 */
public final class Console {
  private final AdminApi adminApi;
  private final ConsoleSettings settings;
  private final LoginRequests loginRequests;
  private final CosmosRequests cosmosRequests;
  private final Map<String, Route> routes = new LinkedHashMap<>();

  /** Answers one kind of request. */
  private interface Route {
    Document answer(Call call);
  }

  /**
   * Parts of a server that the console uses.
   *
   * @param key of the Cosmos door and the admin API; empty for none
   * @param open whether programs on this machine need no key
   * @param anywhere whether that applies to programs on other machines, too
   * @param clock manual clock of the engine; empty for the system clock
   * @param wall epoch milliseconds, not of a test clock
   * @param ticker monotonic nanoseconds
   */
  public record Parts(
      Engine engine,
      MongoDoor mongo,
      AdminApi adminApi,
      ServerFacts facts,
      History history,
      SlowOperations slow,
      String key,
      boolean open,
      boolean anywhere,
      Optional<ManualClock> clock,
      LongSupplier wall,
      LongSupplier ticker) {}

  public Console(Parts parts, ConsoleSettings settings) {
    AccountKey key = new AccountKey(parts.key());
    Engine engine = parts.engine();
    this.adminApi = parts.adminApi();
    this.settings = settings;
    this.cosmosRequests = new CosmosRequests(parts.ticker(), settings.readOnly());
    this.loginRequests =
        new LoginRequests(
            engine,
            parts.mongo(),
            settings,
            key,
            parts.open(),
            parts.anywhere(),
            parts.clock().isPresent(),
            cosmosRequests::isServed,
            parts.wall());
    MongoRequests mongoRequests = new MongoRequests(engine, parts.ticker(), settings.readOnly());
    DocumentRequests documents = new DocumentRequests(engine, cosmosRequests);
    FeedRequests feeds = new FeedRequests(engine);
    StatusRequests status = new StatusRequests(engine, parts.facts(), parts.clock());
    SavedQueries queries = new SavedQueries(engine);
    routes.put("POST /mongo", mongoRequests::run);
    routes.put("POST /cosmos", cosmosRequests::run);
    routes.put("POST /cancel", Console::cancel);
    routes.put("GET /collections", this::collections);
    routes.put("POST /collections/*/*/save", documents::save);
    routes.put("POST /collections/*/*/insert", documents::insert);
    routes.put("POST /collections/*/*/remove", documents::remove);
    routes.put("POST /collections/*/*/feed", feeds::one);
    routes.put("POST /feed", feeds::all);
    routes.put("GET /status", status::status);
    routes.put("GET /history", _ -> parts.history().list());
    routes.put("GET /slow", _ -> parts.slow().list());
    routes.put("GET /settings", _ -> status.settings());
    routes.put("GET /connect", _ -> status.connect(key));
    routes.put("GET /queries", queries::list);
    routes.put("PUT /queries/*", queries::put);
    routes.put("DELETE /queries/*", queries::remove);
    routes.put("POST /sample", new SampleRequests(engine)::create);
  }

  /** Sets the Cosmos door, with the signer for its key. */
  public void cosmos(Handler door, RequestSigner signer) {
    cosmosRequests.door(door, signer);
  }

  ConsoleSettings settings() {
    return settings;
  }

  Logins.Opened<Caller> login(Request request, Document body) {
    return loginRequests.open(request, body);
  }

  void logout(Request request) {
    loginRequests.close(request);
  }

  /** Returns the login of a request. */
  Login<Caller> login(Request request) {
    return loginRequests.find(request).orElseThrow(() -> loginRequests.missing(request));
  }

  Document describe(Request request, Login<Caller> login) {
    return loginRequests.describe(request, login);
  }

  /**
   * Answers a request of a user.
   *
   * @param path below the prefix of the admin API, URL-encoded
   * @return empty if the admin API answers this request; the user may send it
   */
  Optional<Document> answer(Caller caller, Request request, String path, Document body) {
    List<String> segments = Patterns.segments(path);
    Permissions.check(caller, request.method(), segments, settings.readOnly());
    if (Patterns.fits("POST /key", request.method(), segments)) {
      Call call = new Call(caller, List.of(), body, request::abandoned);
      return Optional.of(loginRequests.reveal(request, call));
    }
    for (Map.Entry<String, Route> route : routes.entrySet()) {
      if (Patterns.fits(route.getKey(), request.method(), segments)) {
        List<String> names = Patterns.wildcards(route.getKey(), segments);
        return Optional.of(answer(route.getValue(), caller, request, names, body));
      }
    }
    return Optional.empty();
  }

  private static Document answer(
      Route route, Caller caller, Request request, List<String> names, Document body) {
    boolean tagged = body.field("tag").type() == Type.STRING && !isCancel(request);
    String tag = tagged ? body.field("tag").asString() : "";
    AtomicBoolean stop = tagged ? caller.begin(tag) : new AtomicBoolean();
    BooleanSupplier stopped = () -> stop.get() || request.abandoned();
    try {
      return translated(route, new Call(caller, names, body, stopped));
    } catch (Refusal refused) {
      throw stop.get()
          ? Refusal.of(Refusal.CANCELLED, "CANCELLED", "The request was stopped.")
          : refused;
    } finally {
      if (tagged) {
        caller.ended(tag, stop);
      }
    }
  }

  private static boolean isCancel(Request request) {
    return request.path().endsWith("/cancel");
  }

  private static Document translated(Route route, Call call) {
    try {
      return route.answer(call);
    } catch (EngineException refused) {
      AdminException translated = AdminApi.translate(refused);
      throw Refusal.of(
          translated.status(), refused.reason().name(), String.valueOf(translated.getMessage()));
    } catch (ValueException invalid) {
      throw Refusal.wrong(String.valueOf(invalid.getMessage()));
    } catch (StoreException failure) {
      throw Refusal.of(503, failure.reason() + ": " + failure.getMessage());
    }
  }

  private static Document cancel(Call call) {
    return Document.writer().put("cancelled", call.caller().cancel(call.text("tag"))).build();
  }

  /** Lists the collections and containers that the user may see. */
  private Document collections(Call call) {
    Document all = adminApi.answer("GET", "/collections", Document.EMPTY);
    DocumentWriter reply = Document.writer();
    Fields fields = all.fields();
    while (fields.next()) {
      if (!fields.name().equals("collections")) {
        reply.put(fields);
        continue;
      }
      reply.startArray("collections");
      Fields each = fields.value().asDocument().fields();
      while (each.next()) {
        Document one = each.value().asDocument();
        Namespace namespace =
            new Namespace(one.field("database").asString(), one.field("collection").asString());
        if (!Namespaces.isInternal(namespace) && call.caller().maySee(namespace)) {
          reply.add(Value.of(one));
        }
      }
      reply.end();
    }
    return reply.build();
  }

  /** Ends all logins. */
  public void close() {
    loginRequests.closeAll();
  }
}
