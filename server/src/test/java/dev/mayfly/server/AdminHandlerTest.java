package dev.mayfly.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.engine.Alarm.Kind;
import dev.mayfly.engine.Alarm.Severity;
import dev.mayfly.engine.Alarms;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.HttpSettings;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Admin API over HTTP, on a real server. */
final class AdminHandlerTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[64]);

  private final ManualClock clock = new ManualClock(1_000_000_000_000L);
  private final ServerSettings settings = ServerSettings.inMemory().withClock(clock);
  private final HttpClient client = HttpClient.newHttpClient();
  private Server server = Server.open(settings);

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private void restart(ServerSettings changed) {
    server.close();
    server = Server.open(changed);
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    String url = server.cosmos().orElseThrow().endpoint().replace("https:", "http:");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(url + path.substring(1)))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private Document request(String method, String path, String body)
      throws IOException, InterruptedException {
    HttpResponse<String> answer = send(method, path, body);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return Json.parse(answer.body(), Limits.COSMOS);
  }

  @Test
  void aServerIsHealthyAndReady() throws Exception {
    assertThat(send("GET", "/healthz", "").body()).isEqualTo("ok\n");
    assertThat(send("GET", "/readyz", "").statusCode()).isEqualTo(200);
  }

  @Test
  void alarmsAreInReadinessMetricsAndAdminApi() throws Exception {
    Alarms alarms = server.mayfly().engine().alarms();
    alarms.raise(Kind.SWEEP, "db.secret", Severity.WARNING, 1000, "db.secret is damaged");

    HttpResponse<String> degraded = send("GET", "/readyz", "");
    assertThat(degraded.statusCode()).isEqualTo(200);
    assertThat(degraded.body()).isEqualTo("ready\nwarning: sweep\n");
    assertThat(send("GET", "/metrics", "").body()).contains("mayfly_alarms{kind=\"sweep\"} 1.0");
    Document reply = request("GET", "/_mayfly/alarms", "");
    assertThat(reply.toString()).contains("db.secret is damaged", "1970-01-01T00:00:01");

    alarms.raise(Kind.CLOCK, "", Severity.CRITICAL, 2000, "the clock leaps");
    HttpResponse<String> alarmed = send("GET", "/readyz", "");
    assertThat(alarmed.statusCode()).isEqualTo(503);
    assertThat(alarmed.body()).isEqualTo("not ready\ncritical: clock\nwarning: sweep\n");

    alarms.clear(Kind.CLOCK, "");
    alarms.clear(Kind.SWEEP, "db.secret");
    assertThat(send("GET", "/readyz", "").body()).isEqualTo("ready\n");
    assertThat(send("GET", "/metrics", "").body()).contains("mayfly_alarms{kind=\"sweep\"} 0.0");
  }

  @Test
  void operationsAreCountedAndMeasured() throws Exception {
    Collection things =
        server.mayfly().create("db", "things", CollectionSpec.mongo().withDefaultTtl(7200));
    things.insert(Document.writer().put("_id", 1).build());
    try (MongoClient driver = MongoClients.create(server.mongo().connectionString())) {
      driver.getDatabase("db").getCollection("things").countDocuments();
      send("GET", "/dbs", "");
      String metrics = send("GET", "/metrics", "").body();
      assertThat(metrics)
          .contains("mayfly_operations_seconds_bucket{door=\"mongo\",kind=\"command\"")
          .contains("mayfly_operations_seconds_count{door=\"cosmos\",kind=\"get\"")
          .contains("mayfly_due_hour 0.0", "mayfly_due_day 1.0", "mayfly_documents 1.0")
          .contains("mayfly_sweep_backlog 0.0", "mayfly_sweep_lag_seconds 0.0")
          .contains("mayfly_swept_documents_total 0.0")
          .contains("mayfly_store_bytes ", "jvm_memory_used_bytes", "mayfly_request_units_total")
          .contains("mayfly_store_cache_hits_total", "mayfly_store_cache_misses_total")
          .contains("mayfly_store_commits_seconds_count", "mayfly_store_commits_seconds_sum")
          .contains("mayfly_store_syncs_seconds_count", "mayfly_read_only 0.0")
          .contains("mayfly_build_info{version=\"" + Mayfly.VERSION + "\"} 1")
          .contains("process_start_time_seconds", "process_files_open_files", "jvm_threads_live")
          .contains("mayfly_cursors 0.0", "mayfly_transactions 0.0", "jvm_gc_")
          .containsPattern("process_resident_memory_bytes [1-9]")
          .containsPattern("mayfly_connections\\{door=\"cosmos\"\\} [1-9]")
          .containsPattern("mayfly_connections\\{door=\"mongo\"\\} [1-9]");
    }
  }

  @Test
  void everyMetricIsDocumented() throws Exception {
    send("GET", "/dbs", "");
    String page = Files.readString(Path.of("../docs/operations.md"));
    assertThat(
            Pattern.compile("# TYPE (mayfly_[a-z_]+) ")
                .matcher(send("GET", "/metrics", "").body())
                .results())
        .hasSizeGreaterThan(15)
        .extracting(name -> name.group(1))
        .allSatisfy(name -> assertThat(page).contains("`" + name));
  }

  @Test
  void theDashboardShowsMetricsThatExist() throws Exception {
    send("GET", "/dbs", "");
    String metrics = send("GET", "/metrics", "").body();
    String dashboard = Files.readString(Path.of("../docs/grafana-dashboard.json"));
    assertThat(Pattern.compile("mayfly_[a-z_]+").matcher(dashboard).results())
        .isNotEmpty()
        .allSatisfy(name -> assertThat(metrics).contains(name.group()));
  }

  @Test
  void theTestClockCanBeMoved() throws Exception {
    Collection things =
        server.mayfly().create("db", "things", CollectionSpec.mongo().withDefaultTtl(60));
    things.insert(Document.writer().put("_id", 1).build());
    request("POST", "/_mayfly/clock", "{\"advanceMillis\": 59999}");
    assertThat(things.usage().documents()).isEqualTo(1);
    request("POST", "/_mayfly/clock", "{\"advanceMillis\": 1}");
    assertThat(things.usage().documents()).isZero();
    assertThat(send("POST", "/_mayfly/clock", "{}").statusCode()).isEqualTo(400);
    restart(ServerSettings.inMemory());
    HttpResponse<String> refused = send("POST", "/_mayfly/clock", "{\"advanceMillis\": 1}");
    assertThat(refused.statusCode()).isEqualTo(400);
    assertThat(refused.body()).contains("--test-clock");
  }

  @Test
  void theTestClockCanBeMovedToAnInstantAndToTheNextDeadline() throws Exception {
    assertThat(send("POST", "/_mayfly/clock", "{\"toNext\": true}").body()).contains("NO_DEADLINE");
    Collection things =
        server.mayfly().create("db", "things", CollectionSpec.mongo().withDefaultTtl(60));
    things.insert(Document.writer().put("_id", 1).build());
    request("POST", "/_mayfly/clock", "{\"to\": 1000000059999}");
    assertThat(things.usage().documents()).isEqualTo(1);
    request("POST", "/_mayfly/clock", "{\"toNext\": true}");
    assertThat(clock.now()).isEqualTo(1_000_000_060_000L);
    assertThat(things.usage().documents()).isZero();
    request("POST", "/_mayfly/clock", "{\"to\": \"2001-09-09T02:00:00Z\"}");
    assertThat(clock.now()).isEqualTo(1_000_000_800_000L);
  }

  @Test
  void anOffsetClockGoesOnAfterItIsMovedWithoutAnAlarm() throws Exception {
    ManualClock base = new ManualClock(2_000_000_000_000L);
    restart(ServerSettings.inMemory().withClock(ManualClock.offset(base)));
    Collection things =
        server.mayfly().create("db", "things", CollectionSpec.mongo().withDefaultTtl(86_400));
    things.insert(Document.writer().put("_id", 1).build());
    Document moved = request("POST", "/_mayfly/clock", "{\"advanceMillis\": 86399999}");
    assertThat(time(moved)).isEqualTo(Instant.ofEpochMilli(base.now() + 86_399_999));
    assertThat(moved.field("movable").asBoolean()).isTrue();
    assertThat(moved.field("stands").asBoolean()).isFalse();
    assertThat(things.usage().documents()).isEqualTo(1);
    base.advance(Duration.ofMillis(1));
    assertThat(things.usage().documents()).isZero();
    request("POST", "/_mayfly/clock", "{\"to\": \"2040-01-01T00:00:00Z\"}");
    base.advance(Duration.ofSeconds(5));
    Document later = request("GET", "/_mayfly/clock", "");
    assertThat(time(later)).isEqualTo(Instant.parse("2040-01-01T00:00:05Z"));
    assertThat(later.field("confirmed").asBoolean()).isTrue();
    assertThat(server.mayfly().engine().alarms().raised()).isEmpty();
  }

  private static Instant time(Document clock) {
    return Instant.parse(clock.field("now").asDocument().field("$date").asString());
  }

  @Test
  void livesAndSoonestExplainExpiry() throws Exception {
    Collection things =
        server.mayfly().create("db", "things", CollectionSpec.mongo().withDefaultTtl(60));
    for (int i = 0; i < 3; i++) {
      things.insert(Document.writer().put("_id", i).put("ttl", i == 0 ? -1 : 10 * i).build());
    }
    String path = "/_mayfly/collections/db/things";
    String lives =
        send("POST", path + "/lives", "{\"keys\": [\"0\", \"1\", \"\\\"x\\\"\"]}").body();
    assertThat(lives)
        .contains("\"key\":\"{\\\"$numberInt\\\":\\\"0\\\"}\",\"state\":\"live\"")
        .contains("\"never\":\"ttlNever\",\"why\":\"`ttl` is -1.\"")
        .contains("\"rule\":\"own\"", "\"state\":\"absent\"");
    Document first = request("POST", path + "/soonest", "{\"most\": 1, \"text\": true}");
    assertThat(first.field("documents").toString())
        .contains("\"ttl\\\":{\\\"$numberInt\\\":\\\"10");
    Document second =
        request(
            "POST", path + "/soonest", "{\"after\": \"" + first.field("after").asString() + "\"}");
    assertThat(second.field("after").isMissing()).isTrue();
    assertThat(second.field("documents").asDocument().field("1").isMissing()).isTrue();
    assertThat(send("POST", path + "/soonest", "{\"after\": \"?\"}").statusCode()).isEqualTo(400);
    Document series =
        request("POST", path + "/forecast", "{\"bucketSeconds\": 10, \"buckets\": 1}");
    assertThat(series.field("buckets").toString())
        .contains("\"documents\":1,", "\"byRule\":{\"own\":{\"documents\":1,");
    assertThat(series.field("later").toString()).contains("\"documents\":1,");
    assertThat(series.field("never").asLong()).isEqualTo(1);
    assertThat(
            send("POST", path + "/forecast", "{\"bucketSeconds\": 1, \"buckets\": 401}")
                .statusCode())
        .isEqualTo(400);
  }

  @Test
  void rulesAreChangedOnlyAsPreviewed() throws Exception {
    Collection things = server.mayfly().create("db", "things", CollectionSpec.mongo());
    things.insert(Document.writer().put("_id", 1).build());
    clock.advance(java.time.Duration.ofSeconds(100));
    String path = "/_mayfly/collections/db/things";
    String change = "\"default\": 60, \"graceSeconds\": 3600";
    Document preview =
        request(
            "POST", path + "/what-if", "{" + change + ", \"bucketSeconds\": 60, \"buckets\": 2}");
    assertThat(preview.field("expired").asLong()).isEqualTo(1);
    assertThat(preview.field("byRule").toString()).startsWith("{\"default\":{\"documents\":1,");
    assertThat(preview.field("keys").toString()).contains("$numberInt");
    assertThat(preview.field("forecast").asDocument().field("complete").asBoolean()).isTrue();
    String tag = preview.field("rulesTag").asString();
    request("POST", path + "/ttl", "{\"graceSeconds\": 7}");
    HttpResponse<String> changed =
        send("POST", path + "/ttl", "{" + change + ", \"most\": 1, \"ifRules\": \"" + tag + "\"}");
    assertThat(changed.statusCode()).isEqualTo(409);
    assertThat(changed.body()).contains("\"code\":\"RULES_CHANGED\"", "\"rulesTag\":");
    assertThat(send("POST", path + "/ttl", "{" + change + ", \"most\": 0}").body())
        .contains("\"code\":\"EXPIRES_TOO_MUCH\",\"wouldExpire\":1");
    assertThat(request("GET", path + "/undo", "").field("possible").asBoolean()).isFalse();
    request("POST", path + "/ttl", "{" + change + ", \"most\": 1}");
    assertThat(send("GET", path + "/undo", "").body())
        .contains("\"possible\":true,\"documents\":1,", "\"until\":");
    assertThat(send("GET", path + "/rules", "").body())
        .contains("\"kind\":\"change\"", "\"expired\":1,\"by\":\"admin\"");
    Document health = request("GET", path + "/health", "");
    assertThat(health.toString())
        .contains("Documents without a `ttl` expire 1 minute after their last write.")
        .contains("\"backlog\":{\"documents\":1,", "undoUntil", "\"graceSeconds\":3600");
  }

  @Test
  void aClockSetBackRaisesAnAlarmUntilConfirmed(@TempDir Path data) throws Exception {
    ManualClock future = new ManualClock(4_000_000_000_000L);
    Mayfly.open(data, future, MayflySettings.standard()).close();
    restart(ServerSettings.inMemory().withData(data));

    assertThat(send("GET", "/readyz", "").body()).isEqualTo("ready\nwarning: clock\n");
    assertThat(send("GET", "/metrics", "").body()).contains("mayfly_alarms{kind=\"clock\"} 1.0");
    Document doubted = request("GET", "/_mayfly/clock", "");
    assertThat(doubted.field("confirmed").asBoolean()).isFalse();
    assertThat(doubted.field("leapMillis").asLong()).isNegative();
    assertThat(doubted.field("confirmedInMillis").asLong()).isEqualTo(-1);
    assertThat(request("GET", "/_mayfly/alarms", "").toString()).contains("mayfly clock confirm");

    Document confirmed = request("POST", "/_mayfly/clock/confirm", "");
    assertThat(confirmed.field("confirmed").asBoolean()).isTrue();
    assertThat(confirmed.field("leapMillis").isMissing()).isTrue();
    assertThat(send("GET", "/readyz", "").body()).isEqualTo("ready\n");
  }

  @Test
  void theSweepIsPausedAndResumed() throws Exception {
    assertThat(request("POST", "/_mayfly/sweep/pause", "").field("documents").asLong()).isZero();
    assertThat(request("POST", "/_mayfly/sweep/resume", "").field("lagMillis").asLong()).isZero();
    assertThat(request("GET", "/_mayfly/sweep", "").field("passes").isMissing()).isFalse();
  }

  @Test
  void namesMayContainAnyCharacter() throws Exception {
    server.mayfly().create("a/b", "c d+e.f", CollectionSpec.mongo());
    Document one = request("GET", "/_mayfly/collections/a%2Fb/c%20d+e.f", "");
    assertThat(one.field("collection").asString()).isEqualTo("c d+e.f");
  }

  @Test
  void invalidRequestsAreRejectedWithASentence() throws Exception {
    server.mayfly().create("db", "things", CollectionSpec.mongo());
    assertThat(send("GET", "/_mayfly/nothing", "").statusCode()).isEqualTo(404);
    assertThat(send("GET", "/_mayfly/collections/db/none", "").statusCode()).isEqualTo(404);
    assertThat(send("POST", "/_mayfly/collections/db/things/ttl", "{oops").body())
        .contains("not valid JSON");
    assertThat(send("POST", "/_mayfly/collections/db/things/ttl", "{\"defalt\": 1}").body())
        .contains("Unknown field 'defalt'; use");
    assertThat(send("POST", "/_mayfly/collections/db/things/ttl", "{\"default\": -5}").body())
        .contains("BAD_SPEC");
    assertThat(send("POST", "/_mayfly/collections/db/things/undo", "").statusCode()).isEqualTo(409);
    HttpResponse<String> inMemory = send("POST", "/_mayfly/backup", "{\"directory\": \"x\"}");
    assertThat(inMemory.statusCode()).isEqualTo(409);
    assertThat(inMemory.body())
        .contains("The server keeps its data in memory")
        .doesNotContain("NOT_SUPPORTED");
  }

  @Test
  void errorsAreReportedOnce(@TempDir Path directory) throws Exception {
    server.mayfly().create("db", "things", CollectionSpec.mongo());
    assertThat(send("GET", "/_mayfly/collections/db/none", "").body())
        .isEqualTo("{\"error\":\"NO_SUCH_COLLECTION: db.none\"}");
    assertThat(send("POST", "/_mayfly/collections/db/things/ttl", "{\"default\": 1").body())
        .contains("not valid JSON")
        .doesNotContain("Source", "REDACTED");
    Map<String, String> wrong =
        Map.of(
            "{\"advanceMillis\": -1}", "The clock can only be moved forward",
            "{\"advanceMillis\": 9223372036854775807}", "a manual clock cannot go beyond",
            "{\"to\": \"tomorrow\"}", "'to' is not a date");
    for (Map.Entry<String, String> one : wrong.entrySet()) {
      long before = clock.now();
      HttpResponse<String> refused = send("POST", "/_mayfly/clock", one.getKey());
      assertThat(refused.statusCode()).isEqualTo(400);
      assertThat(refused.body()).startsWith("{\"error\":").contains(one.getValue());
      assertThat(clock.now()).isEqualTo(before);
    }
    HttpResponse<String> nul = send("POST", "/_mayfly/backup", "{\"directory\": \"\\u0000\"}");
    assertThat(nul.statusCode()).isEqualTo(400);
    assertThat(nul.body()).startsWith("{\"error\":").contains("'directory' is not a path");
    String taken = Json.write(Document.writer().put("directory", directory.toString()).build());
    HttpResponse<String> exists = send("POST", "/_mayfly/backup", taken);
    assertThat(exists.statusCode()).isEqualTo(409);
    assertThat(exists.body()).contains("exists");
    String nowhere = directory.resolve("none").resolve("monday").toString();
    HttpResponse<String> absent =
        send(
            "POST",
            "/_mayfly/backup",
            Json.write(Document.writer().put("directory", nowhere).build()));
    assertThat(absent.statusCode()).isEqualTo(400);
    assertThat(absent.body()).contains(directory.resolve("none") + " does not exist: create it");
  }

  @Test
  void aForecastIsClampedToTheLastInstant() throws Exception {
    Collection things =
        server.mayfly().create("db", "things", CollectionSpec.mongo().withDefaultTtl(60));
    things.insert(Document.writer().put("_id", 1).build());
    String path = "/_mayfly/collections/db/things/forecast";
    String answer = send("POST", path, "{\"withinSeconds\": [9223372036854775807]}").body();
    assertThat(answer).contains("\"documents\":1,", "9999-12-31");
    assertThat(send("POST", path, "{\"withinSeconds\": [-1]}").statusCode()).isEqualTo(400);
  }

  @Test
  void everyReplyHasOneContentType() throws Exception {
    for (String path : List.of("/metrics", "/healthz", "/readyz", "/_mayfly/sweep")) {
      assertThat(send("GET", path, "").headers().allValues("content-type")).as(path).hasSize(1);
    }
    assertThat(send("GET", "/metrics", "").headers().firstValue("content-type"))
        .hasValue("text/plain; version=0.0.4; charset=utf-8");
  }

  @Test
  void otherPathsAreServedByTheDoor() throws Exception {
    assertThat(send("GET", "/", "").statusCode()).isEqualTo(401);
    assertThat(send("GET", "/dbs", "").body()).contains("Unauthorized");
  }

  @Test
  void aSignatureAuthorizesLikeTheKey() throws Exception {
    long now = 1_900_000_000_000L;
    restart(
        settings
            .withMongo(settings.mongo().withLogin(Login.ALWAYS))
            .withCosmos(
                CosmosSettings.standard(() -> now).withAddress("127.0.0.1", 0).withKey(KEY)));
    String[] signed = Signature.of(KEY, now, "GET", "_mayfly", "_mayfly/collections");
    assertThat(send("GET", "/_mayfly/collections", "", signed).statusCode()).isEqualTo(200);
    assertThat(send("GET", "/_mayfly/users", "", signed).statusCode()).isEqualTo(401);
    String[] late = Signature.of(KEY, now - 3_600_000, "GET", "_mayfly", "_mayfly/collections");
    assertThat(send("GET", "/_mayfly/collections", "", late).statusCode()).isEqualTo(401);
    String[] byTestClock = Signature.of(KEY, clock.now(), "GET", "_mayfly", "_mayfly/collections");
    assertThat(send("GET", "/_mayfly/collections", "", byTestClock).statusCode()).isEqualTo(200);
    String[] scrape = Signature.of(KEY, now, "GET", "_mayfly", "metrics");
    assertThat(send("GET", "/metrics", "", scrape).statusCode()).isEqualTo(200);
  }

  @Test
  void theAdminPortServesOnlyTheAdminApi() throws Exception {
    AdminSettings admin = new AdminSettings(HttpSettings.standard(), KEY, () -> 0);
    restart(settings.withoutCosmos().withAdmin(admin));
    String url = server.operatorUrl().orElseThrow();
    for (String path : List.of("readyz", "metrics", "_mayfly/collections")) {
      assertThat(get(url + path).statusCode()).as(path).isEqualTo(200);
    }
    assertThat(get(url + "dbs").statusCode()).isEqualTo(404);
  }

  private HttpResponse<String> get(String url) throws IOException, InterruptedException {
    return client.send(
        HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void authAlwaysRequiresTheKey() throws Exception {
    restart(
        settings
            .withMongo(settings.mongo().withLogin(Login.ALWAYS))
            .withCosmos(
                CosmosSettings.standard(System::currentTimeMillis)
                    .withAddress("127.0.0.1", 0)
                    .withKey(KEY)));
    assertThat(send("GET", "/_mayfly/collections", "").statusCode()).isEqualTo(401);
    assertThat(
            send("GET", "/_mayfly/collections", "", "authorization", "Bearer wrong").statusCode())
        .isEqualTo(401);
    assertThat(
            send("GET", "/_mayfly/collections", "", "authorization", "Bearer " + KEY).statusCode())
        .isEqualTo(200);
  }

  @Test
  void requestsOfBrowsersAreRejected() throws Exception {
    assertThat(send("POST", "/_mayfly/sweep/pause", "", "origin", "https://x.example").statusCode())
        .isEqualTo(403);
    assertThat(withHost("elsewhere.example")).contains("401");
    assertThat(withHost("localhost:1")).contains("200");
  }

  /** Status line of the reply to a request with another {@code Host}, as in DNS rebinding. */
  private String withHost(String host) throws IOException {
    int port = server.cosmos().orElseThrow().port();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      String request =
          "GET /_mayfly/sweep HTTP/1.1\r\nhost: " + host + "\r\nconnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
      return answer.lines().findFirst().orElse("");
    }
  }
}
