package dev.mayfly.admin;

import dev.mayfly.engine.Alarm;
import dev.mayfly.http.Handler;
import dev.mayfly.http.PendingReply;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.metrics.Metrics;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** HTTP handler of the admin API, health checks and metrics. Passes other requests to a door. */
public final class AdminHandler implements Handler {
  private static final String HEALTH = "/healthz";
  private static final String READINESS = "/readyz";
  private static final String METRICS = "/metrics";

  private static final Set<String> PAGES = Set.of(HEALTH, READINESS, METRICS);

  /** Content type that keeps all BSON types; used by the command line. */
  public static final String BSON = "application/bson";

  /** A document of the maximum size, with its envelope. */
  private static final Limits BODIES = new Limits(17 << 20, 200);

  private final Handler door;
  private final AdminRequests adminApi;
  private final AdminAuth adminAuth;
  private final Metrics metrics;
  private final Supplier<Readiness> ready;
  private final Supplier<Optional<String>> notServing;
  private final Supplier<List<Alarm>> alarms;

  /**
   * Creates a handler in front of a door.
   *
   * @param ticker nanoseconds, to measure requests of the door
   * @param slowMillis requests that take at least this long are logged
   * @param slow receives what is logged
   * @param ready whether the server accepts clients
   * @param notServing why this server of a cluster serves nothing; empty if it does
   * @param alarms alarms to include in the readiness reply
   */
  public AdminHandler(
      Handler door,
      AdminRequests adminApi,
      AdminAuth adminAuth,
      Metrics metrics,
      LongSupplier ticker,
      int slowMillis,
      Consumer<Document> slow,
      Supplier<Readiness> ready,
      Supplier<Optional<String>> notServing,
      Supplier<List<Alarm>> alarms) {
    this.door = new MeasuredHandler(door, metrics, ticker, new SlowRequests(slowMillis, slow));
    this.adminApi = adminApi;
    this.adminAuth = adminAuth;
    this.metrics = metrics;
    this.ready = ready;
    this.notServing = notServing;
    this.alarms = alarms;
  }

  @Override
  public Optional<Reply> tryHandle(Request request) {
    return isAdmin(request.path()) ? Optional.empty() : door.tryHandle(request);
  }

  @Override
  public Optional<PendingReply> tryBegin(Request request) {
    return isAdmin(request.path()) ? Optional.empty() : door.tryBegin(request);
  }

  @Override
  public int maxBodyBytes(String target, int defaultBytes) {
    return target.startsWith(AdminApi.ROOT + "/")
        ? BODIES.maxBytes()
        : door.maxBodyBytes(target, defaultBytes);
  }

  private static boolean isAdmin(String path) {
    return path.startsWith(AdminApi.ROOT + "/") || PAGES.contains(path);
  }

  @Override
  public Reply handle(Request request) {
    return switch (request.path()) {
      case HEALTH -> text(200, "ok\n");
      case READINESS -> readiness();
      case String path when isAdmin(path) -> answer(request);
      default -> door.handle(request);
    };
  }

  private Reply readiness() {
    Readiness found = ready.get();
    StringBuilder text = new StringBuilder(found.text()).append('\n');
    notServing.get().ifPresent(reason -> text.append(reason).append('\n'));
    // without authorization: only the kinds of alarms, because their texts contain collection names
    Map<Alarm.Kind, Alarm.Severity> worst = new EnumMap<>(Alarm.Kind.class);
    for (Alarm alarm : alarms.get()) {
      worst.merge(
          alarm.kind(), alarm.severity(), (one, other) -> one.compareTo(other) < 0 ? other : one);
    }
    worst.forEach((kind, severity) -> text.append(severity).append(": ").append(kind).append('\n'));
    return text(found == Readiness.READY ? 200 : 503, text.toString().toLowerCase(Locale.ROOT));
  }

  private Reply answer(Request request) {
    try {
      adminAuth.check(request);
    } catch (AdminException refused) {
      return refusal(refused.status(), String.valueOf(refused.getMessage()), Document.EMPTY);
    }
    return answerAuthorized(request);
  }

  /** Answers a request of the admin API that the caller has authorized. */
  public Reply answerAuthorized(Request request) {
    try {
      if (request.path().equals(METRICS)) {
        return text(200, metrics.text());
      }
      String path = request.path().substring(AdminApi.ROOT.length());
      Document answer = adminApi.answer(request.method(), path, body(request));
      return BSON.equals(request.header("accept")) ? bson(answer) : json(200, answer);
    } catch (AdminException refused) {
      return refusal(refused.status(), String.valueOf(refused.getMessage()), refused.details());
    } catch (RuntimeException failure) {
      String what = "internal error in " + request.method() + " " + request.path();
      System.getLogger(AdminHandler.class.getName()).log(System.Logger.Level.ERROR, what, failure);
      return refusal(500, what, Document.EMPTY);
    }
  }

  private static Reply refusal(int status, String message, Document details) {
    DocumentWriter refusal = Document.writer().put("error", message);
    Fields each = details.fields();
    while (each.next()) {
      refusal.put(each.name(), each.value());
    }
    return json(status, refusal.build());
  }

  private static Document body(Request request) {
    if (request.body().length == 0) {
      return Document.EMPTY;
    }
    boolean bson = BSON.equals(request.header("content-type"));
    try {
      return bson
          ? Document.of(request.body(), BODIES)
          : ExtendedJson.parse(request.body(), BODIES);
    } catch (ValueException invalid) {
      String form = bson ? "BSON" : "JSON";
      throw AdminException.wrong("The body is not valid " + form + ": " + invalid.getMessage());
    }
  }

  private static Reply bson(Document body) {
    return new Reply(200).body(body.bytes(), BSON);
  }

  private static Reply json(int status, Document body) {
    byte[] bytes = ExtendedJson.relaxed(body).getBytes(StandardCharsets.UTF_8);
    return new Reply(status).body(bytes);
  }

  private static Reply text(int status, String text) {
    return new Reply(status)
        .body(text.getBytes(StandardCharsets.UTF_8), "text/plain; version=0.0.4; charset=utf-8");
  }

  @Override
  public Reply refuse(int status, String reason) {
    return door.refuse(status, reason);
  }
}
