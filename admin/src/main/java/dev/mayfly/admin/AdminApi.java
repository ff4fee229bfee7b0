package dev.mayfly.admin;

import dev.mayfly.engine.Alarm;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.SweepStats;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.auth.Users;
import dev.mayfly.mql.CommandException;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Admin API: routing table, handlers, and translation of exceptions. Safe for many threads. */
public final class AdminApi implements AdminRequests {
  /** Prefix of all paths. */
  public static final String ROOT = "/_mayfly";

  private static final String NAME = "*";
  private static final String IN_MEMORY =
      "The server keeps its data in memory, so there are no files to back up. Start it with --data"
          + " DIRECTORY, or export the collections.";

  static final Supplier<Document> NO_DEFINITIONS =
      () -> {
        throw AdminException.missing("The definitions are not available yet.");
      };

  private final Engine engine;
  private final Optional<ManualClock> clock;
  private final Consumer<Path> backup;
  private volatile Supplier<Document> definitions = NO_DEFINITIONS;
  private final ExpiryAdmin expiryAdmin;
  private final Map<String, Route> routes = new LinkedHashMap<>();

  /** Handler of one route. */
  private interface Route {
    /**
     * Returns the reply.
     *
     * @param names values of the wildcards in the path
     */
    Document answer(List<String> names, Document body);
  }

  /**
   * Creates the admin API of one engine.
   *
   * @param clock the test clock; empty for a clock that cannot be moved
   * @param users users of the MongoDB door
   * @param backup copies all data to a directory, which must not exist
   */
  public AdminApi(Engine engine, Optional<ManualClock> clock, Users users, Consumer<Path> backup) {
    this.engine = engine;
    this.clock = clock;
    this.backup = backup;
    TtlAdmin ttlAdmin = new TtlAdmin(engine);
    this.expiryAdmin = new ExpiryAdmin(engine);
    DocumentTransfer documentTransfer = new DocumentTransfer(engine);
    UserAdmin userAdmin = new UserAdmin(users);
    routes.put("GET /collections", (_, _) -> ttlAdmin.list());
    routes.put("GET /collections/*/*", (names, _) -> ttlAdmin.show(names));
    routes.put("GET /collections/*/*/forecast", ttlAdmin::forecast);
    routes.put("POST /collections/*/*/forecast", ttlAdmin::forecast);
    routes.put("POST /collections/*/*/what-if", ttlAdmin::whatIf);
    routes.put("POST /collections/*/*/ttl", ttlAdmin::change);
    routes.put("POST /collections/*/*/limit", ttlAdmin::limit);
    routes.put("POST /collections/*/*/on-expire", ttlAdmin::onExpire);
    routes.put("POST /collections/*/*/expires-with", ttlAdmin::expiresWith);
    routes.put("POST /collections/*/*/undo", (names, _) -> ttlAdmin.undo(names));
    routes.put("GET /collections/*/*/undo", (names, _) -> expiryAdmin.undo(names));
    routes.put("GET /collections/*/*/rules", (names, _) -> expiryAdmin.rules(names));
    routes.put("GET /collections/*/*/health", (names, _) -> expiryAdmin.health(names));
    routes.put("POST /collections/*/*/lives", expiryAdmin::lives);
    routes.put("POST /collections/*/*/touch", new TouchAdmin(engine)::touch);
    routes.put("POST /collections/*/*/soonest", expiryAdmin::soonest);
    routes.put("POST /collections/*/*/warnings", expiryAdmin::warnings);
    routes.put("POST /collections/*/*/export", documentTransfer::export);
    routes.put("POST /collections/*/*/import", documentTransfer::load);
    routes.put("GET /users", (_, _) -> userAdmin.list());
    routes.put("POST /users", (_, body) -> userAdmin.add(body));
    routes.put("DELETE /users/*/*", (names, _) -> userAdmin.remove(names));
    routes.put("GET /sweep", (_, _) -> sweep());
    routes.put("POST /sweep/pause", (_, _) -> pause());
    routes.put("POST /sweep/resume", (_, _) -> resume());
    routes.put("GET /alarms", (_, _) -> alarms());
    routes.put("GET /clock", (_, _) -> time());
    routes.put("POST /clock", (_, body) -> moveClock(body));
    routes.put("POST /clock/confirm", (_, _) -> confirmClock());
    routes.put("POST /backup", (_, body) -> backup(body));
    routes.put("GET /definitions", (_, _) -> definitions.get());
    routes.put("GET /cluster", (_, _) -> alone());
  }

  private static Document alone() {
    throw new AdminException(
        409,
        "This server is not part of a cluster: it keeps its data in a directory or in memory."
            + " Start it with --cassandra for a cluster.");
  }

  /** Sets what lists the definitions of all collections and containers. */
  public void definitions(Supplier<Document> list) {
    definitions = list;
  }

  @Override
  public Document answer(String method, String path, Document body) {
    try {
      return run(method, path, body);
    } catch (RuntimeException failure) {
      throw translated(failure);
    }
  }

  /** As {@link #answer}, with the exceptions of the engine and the store. */
  Document run(String method, String path, Document body) {
    List<String> segments = segments(path);
    for (Map.Entry<String, Route> route : routes.entrySet()) {
      String[] pattern = route.getKey().split("[ /]+", -1);
      if (pattern[0].equals(method) && fits(pattern, segments)) {
        return route.getValue().answer(wildcards(pattern, segments), body);
      }
    }
    throw unknown(method, path);
  }

  static AdminException unknown(String method, String path) {
    return AdminException.missing("Unknown operation: " + method + " " + ROOT + path + ".");
  }

  /** Returns the decoded segments of a path. */
  static List<String> segments(String path) {
    List<String> segments = new ArrayList<>();
    for (String part : path.substring(1).split("/", -1)) {
      segments.add(decoded(part));
    }
    return segments;
  }

  private static String decoded(String part) {
    try {
      return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException invalid) {
      throw AdminException.wrong("The path must be URL-encoded (%41), unlike '" + part + "'.");
    }
  }

  private static boolean fits(String[] pattern, List<String> segments) {
    boolean fits = pattern.length == segments.size() + 1;
    for (int i = 0; fits && i < segments.size(); i++) {
      fits = pattern[i + 1].equals(NAME) || pattern[i + 1].equals(segments.get(i));
    }
    return fits;
  }

  private static List<String> wildcards(String[] pattern, List<String> segments) {
    List<String> names = new ArrayList<>();
    for (int i = 0; i < segments.size(); i++) {
      if (pattern[i + 1].equals(NAME)) {
        names.add(segments.get(i));
      }
    }
    return names;
  }

  /** Translates exceptions of the engine and the store; handlers translate only what they know. */
  static RuntimeException translated(RuntimeException failure) {
    return switch (failure) {
      case EngineException refused -> translate(refused);
      case CommandException wrong -> AdminException.wrong(String.valueOf(wrong.getMessage()));
      case ValueException wrong -> AdminException.wrong(String.valueOf(wrong.getMessage()));
      case DateTimeException wrong -> AdminException.wrong(String.valueOf(wrong.getMessage()));
      case ArithmeticException wrong -> AdminException.wrong(String.valueOf(wrong.getMessage()));
      case StoreException store ->
          new AdminException(503, store.reason() + ": " + store.getMessage());
      default -> failure;
    };
  }

  /** Returns the failure of a request for a failure of the engine. */
  public static AdminException translate(EngineException refused) {
    int status =
        switch (refused.reason()) {
          case NO_SUCH_COLLECTION, NOT_FOUND -> 404;
          case COLLECTION_EXISTS, EXPIRES_TOO_MUCH, RULES_CHANGED, NOTHING_TO_UNDO -> 409;
          default -> 400;
        };
    return new AdminException(status, String.valueOf(refused.getMessage()));
  }

  private Document pause() {
    engine.pauseSweep();
    return sweep();
  }

  private Document resume() {
    engine.resumeSweep();
    return sweep();
  }

  private Document sweep() {
    SweepStats stats = engine.sweepStats();
    return Document.writer()
        .put("documents", stats.documents())
        .put("bytes", stats.bytes())
        .put("passes", stats.passes())
        .put("lagMillis", stats.lagMillis())
        .build();
  }

  private Document alarms() {
    List<Value> raised = new ArrayList<>();
    for (Alarm alarm : engine.alarms().raised()) {
      raised.add(
          Value.of(
              Document.writer()
                  .put("kind", alarm.kind().name().toLowerCase(Locale.ROOT))
                  .put("subject", alarm.subject())
                  .put("severity", alarm.severity().name().toLowerCase(Locale.ROOT))
                  .put("since", Value.date(alarm.since()))
                  .put("text", alarm.text())
                  .build()));
    }
    return Document.writer().put("alarms", Value.array(raised)).build();
  }

  private Document time() {
    DocumentWriter time =
        Document.writer()
            .put("now", Value.date(engine.now()))
            .put("movable", clock.isPresent())
            .put("stands", clock.isPresent() && clock.get().stands())
            .put("confirmed", engine.clockLeap().isEmpty());
    engine
        .clockLeap()
        .ifPresent(
            leap ->
                time.put("leapMillis", leap.millis())
                    .put("confirmedInMillis", leap.confirmedInMillis()));
    return time.build();
  }

  private Document confirmClock() {
    engine.confirmClock();
    return time();
  }

  private Document moveClock(Document body) {
    ManualClock movable =
        clock.orElseThrow(
            () ->
                AdminException.wrong(
                    "The clock of this server cannot be moved: it was started without"
                        + " --test-clock."));
    long millis = distance(body);
    if (millis < 0) {
      throw AdminException.wrong(
          "The clock can only be moved forward: it is " + Instant.ofEpochMilli(engine.now()) + ".");
    }
    try {
      movable.advance(Duration.ofMillis(millis));
    } catch (IllegalArgumentException impossible) {
      throw AdminException.wrong("The clock cannot be moved: " + impossible.getMessage() + ".");
    }
    engine.clockMoved();
    return time();
  }

  /** Returns the milliseconds by which to move the clock. */
  private long distance(Document body) {
    Value to = body.field("to");
    if (!to.isMissing()) {
      return Math.subtractExact(instant(to), engine.now());
    }
    Value next = body.field("toNext");
    if (!next.isMissing() && next.asBoolean()) {
      long deadline =
          expiryAdmin
              .nextDeadline()
              .orElseThrow(
                  () ->
                      new AdminException(
                          409,
                          "No document will expire: there is no next deadline.",
                          Document.writer().put("code", "NO_DEADLINE").build()));
      return Math.max(0, deadline - engine.now());
    }
    return whole(body, "advanceMillis");
  }

  /** An instant: a date, epoch milliseconds, or ISO text. */
  private static long instant(Value value) {
    return switch (value.type()) {
      case DATE -> value.asDate();
      case INT32, INT64 -> value.asLong();
      case STRING -> parsed(value.asString());
      default -> throw AdminException.wrong("'to' must be a date, or epoch milliseconds.");
    };
  }

  private static long parsed(String text) {
    try {
      return Instant.parse(text).toEpochMilli();
    } catch (DateTimeException | ArithmeticException invalid) {
      throw AdminException.wrong("'to' is not a date such as 2030-01-01T00:00:00Z: " + text + ".");
    }
  }

  private Document backup(Document body) {
    Path directory = path(text(body, "directory"));
    if (Files.exists(directory)) {
      throw new AdminException(
          409, directory + " exists: choose a directory for the backup that does not exist.");
    }
    Path parent = directory.toAbsolutePath().getParent();
    if (parent != null && !Files.isDirectory(parent)) {
      // not created here: it may be a disk that is not mounted
      throw AdminException.wrong("The directory " + parent + " does not exist: create it first.");
    }
    try {
      backup.accept(directory);
    } catch (EngineException failure) {
      throw failure.reason() == EngineException.Reason.NOT_SUPPORTED
          ? new AdminException(409, IN_MEMORY)
          : failure;
    }
    return Document.writer()
        .put("directory", directory.toAbsolutePath().normalize().toString())
        .put("now", Value.date(engine.now()))
        .build();
  }

  private static Path path(String text) {
    try {
      return Path.of(text);
    } catch (InvalidPathException invalid) {
      throw AdminException.wrong("'directory' is not a path: " + invalid.getReason() + ".");
    }
  }

  static String text(Document body, String name) {
    Value value = body.field(name);
    if (value.type() != Type.STRING) {
      throw AdminException.wrong("'" + name + "' must be a string.");
    }
    return value.asString();
  }

  static long whole(Document body, String name) {
    Value value = body.field(name);
    if (value.type() != Type.INT32 && value.type() != Type.INT64) {
      throw AdminException.wrong("'" + name + "' must be an integer.");
    }
    return value.asLong();
  }
}
