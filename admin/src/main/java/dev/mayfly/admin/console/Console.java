package dev.mayfly.admin.console;

import dev.mayfly.admin.AdminApi;
import dev.mayfly.admin.AdminException;
import dev.mayfly.admin.AdminRequests;
import dev.mayfly.admin.ClusterAdmin;
import dev.mayfly.admin.ServedEngines;
import dev.mayfly.cluster.Cells;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.console.Logins;
import dev.mayfly.console.Logins.Login;
import dev.mayfly.cosmos.auth.RequestSigner;
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
import java.util.function.Supplier;

/**
 * Requests of the web console of one server: the users that may send them, and the answers. Safe
 * for many threads.
 */
public final class Console {
  private final AdminRequests adminApi;
  private final ConsoleCells cells;
  private final ConsoleSettings settings;
  private final LoginRequests loginRequests;
  private final CosmosRequests cosmosRequests;
  private final Map<String, Entry> routes = new LinkedHashMap<>();

  /** Answers one kind of request. */
  private interface Route {
    Document answer(Call call);
  }

  /** The engine that a kind of request concerns. */
  enum Scope {
    /** That of the database whose name the path begins with. */
    DATABASE,
    /** That of the home cell. */
    HOME,
    /** No single one: the request is about this server. */
    HERE
  }

  /** A kind of request. */
  private record Entry(Scope scope, Route route) {}

  /**
   * Parts of a server that the console uses.
   *
   * @param relays answers requests about the engines of other servers
   * @param key of the Cosmos door and the admin API; empty for none
   * @param open whether programs on this machine need no key
   * @param anywhere whether that applies to programs on other machines, too
   * @param clock manual clock of the engine; empty for the system clock
   * @param wall epoch milliseconds, not of a test clock
   * @param ticker monotonic nanoseconds
   */
  public record Parts(
      Cells cells,
      ServedEngines engines,
      Optional<ClusterAdmin> relays,
      MongoDoor mongo,
      AdminRequests adminApi,
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
    this.cells =
        new ConsoleCells(parts.cells(), parts.relays(), parts.mongo(), this::answerRelayed);
    this.adminApi = parts.adminApi();
    this.settings = settings;
    this.cosmosRequests = new CosmosRequests(parts.ticker(), settings.readOnly());
    this.loginRequests =
        new LoginRequests(
            parts.engines()::now,
            parts.mongo(),
            settings,
            key,
            parts.open(),
            parts.anywhere(),
            parts.clock().isPresent(),
            cosmosRequests::isServed,
            parts.wall());
    MongoRequests mongoRequests =
        new MongoRequests(parts.engines()::of, parts.ticker(), settings.readOnly());
    StatusRequests status = new StatusRequests(parts.engines(), parts.facts(), parts.clock());
    here("POST /mongo", mongoRequests::run);
    here("POST /cosmos", cosmosRequests::run);
    here("POST /cancel", Console::cancel);
    here("GET /collections", this::collections);
    put("POST /collections/*/*/save", Scope.DATABASE, call -> documents(call).save(call));
    put("POST /collections/*/*/insert", Scope.DATABASE, call -> documents(call).insert(call));
    put("POST /collections/*/*/remove", Scope.DATABASE, call -> documents(call).remove(call));
    put("POST /collections/*/*/feed", Scope.DATABASE, call -> feeds(call).one(call));
    here("POST /feed", call -> feeds(call).all(call));
    here("GET /status", status::status);
    here("GET /history", _ -> parts.history().list());
    here("GET /slow", _ -> parts.slow().list());
    here("GET /settings", _ -> status.settings());
    here("GET /connect", _ -> status.connect(key));
    put("GET /queries", Scope.HOME, call -> queries(call).list(call));
    put("PUT /queries/*", Scope.HOME, call -> queries(call).put(call));
    put("DELETE /queries/*", Scope.HOME, call -> queries(call).remove(call));
    here("POST /sample", new SampleRequests(parts.engines()::now)::create);
  }

  private void here(String pattern, Route route) {
    put(pattern, Scope.HERE, route);
  }

  private void put(String pattern, Scope scope, Route route) {
    routes.put(pattern, new Entry(scope, route));
  }

  private DocumentRequests documents(Call call) {
    return new DocumentRequests(call.engine(), cosmosRequests);
  }

  private static FeedRequests feeds(Call call) {
    return new FeedRequests(call.engine());
  }

  private static SavedQueries queries(Call call) {
    return new SavedQueries(call.engine());
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
      Call call = new Call(caller, cells::only, List.of(), body, request::abandoned);
      return Optional.of(loginRequests.reveal(request, call));
    }
    for (Map.Entry<String, Entry> route : routes.entrySet()) {
      if (Patterns.fits(route.getKey(), request.method(), segments)) {
        List<String> names = Patterns.wildcards(route.getKey(), segments);
        return Optional.of(answer(route.getValue(), caller, request, names, body));
      }
    }
    return Optional.empty();
  }

  /** Answers a request that another server relays, which has checked its user. */
  private Document answerRelayed(String method, String path, Call call) {
    List<String> segments = Patterns.segments(path);
    for (Map.Entry<String, Entry> route : routes.entrySet()) {
      if (Patterns.fits(route.getKey(), method, segments)) {
        return route
            .getValue()
            .route()
            .answer(call.named(Patterns.wildcards(route.getKey(), segments)));
      }
    }
    throw Refusal.of(Refusal.MISSING, "Unknown request: " + method + " " + path + ".");
  }

  private Document answer(
      Entry entry, Caller caller, Request request, List<String> names, Document body) {
    boolean tagged = body.field("tag").type() == Type.STRING && !isCancel(request);
    String tag = tagged ? body.field("tag").asString() : "";
    AtomicBoolean stop = tagged ? caller.begin(tag) : new AtomicBoolean();
    BooleanSupplier stopped = () -> stop.get() || request.abandoned();
    try {
      Call call = new Call(caller, cells::only, names, body, stopped);
      return translated(() -> cells.answer(entry.scope(), request, call, entry.route()::answer));
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

  static Document translated(Supplier<Document> answer) {
    try {
      return answer.get();
    } catch (EngineException refused) {
      AdminException translated = AdminApi.translate(refused);
      throw Refusal.of(
          translated.status(), refused.reason().name(), String.valueOf(translated.getMessage()));
    } catch (AdminException refused) {
      throw Refusal.of(refused);
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
