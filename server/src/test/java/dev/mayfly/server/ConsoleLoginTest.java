package dev.mayfly.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.log.Logs;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Login to the console, and which pages may use it, on a real server. */
final class ConsoleLoginTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[64]);
  private static final String OPEN = "{}";

  private final HttpClient client = HttpClient.newHttpClient();
  private Server server = Server.open(ServerSettings.inMemory());

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private void restart(ServerSettings changed) {
    server.close();
    server = Server.open(changed);
  }

  /** All programs need a password or the key. */
  private void restartWithAuth() {
    ServerSettings settings = ServerSettings.inMemory();
    CosmosSettings cosmos = settings.cosmos().orElseThrow().withKey(KEY);
    restart(settings.withMongo(settings.mongo().withLogin(Login.ALWAYS)).withCosmos(cosmos));
    user("ada", "secret-of-ada", "root", "admin");
  }

  private void user(String name, String password, String role, String database) {
    Value roles =
        Value.array(
            List.of(Value.of(Document.writer().put("role", role).put("db", database).build())));
    server.mongo().users().add(new Identity("admin", name), password, roles);
  }

  private ConsoleBrowser browser() {
    return ConsoleBrowser.of(server, client);
  }

  private static String credentials(String user, String password) {
    return "{\"user\":\"" + user + "\",\"password\":\"" + password + "\"}";
  }

  @Test
  void aBrowserOnThisMachineNeedsNoPasswordWhereProgramsNeedNone() {
    ConsoleBrowser browser = browser();
    HttpResponse<String> before = browser.send("GET", "/_mayfly/me", "");
    assertThat(before.statusCode()).isEqualTo(401);
    assertThat(before.body()).contains("\"login\":\"open\"");
    HttpResponse<String> login = browser.login(OPEN);
    assertThat(login.statusCode()).isEqualTo(200);
    assertThat(login.headers().firstValue("set-cookie").orElse(""))
        .matches("mayfly-\\d+=[\\w-]{22}; HttpOnly; SameSite=Strict; Path=/");
    Document me = browser.get("/me");
    assertThat(me.field("kind").asString()).isEqualTo("open");
    assertThat(me.field("everything").asBoolean()).isTrue();
    assertThat(me.field("access").asString()).isEqualTo("full");
    assertThat(browser.get("/status").field("ready").asBoolean()).isTrue();
  }

  @Test
  void anEmptyBodyIsEnoughForAnOpenLogin() {
    ConsoleBrowser browser = browser().with("content-type", "");
    assertThat(browser.login("").statusCode()).isEqualTo(200);
  }

  @Test
  void withAuthAPasswordOrTheKeyIsRequired() {
    restartWithAuth();
    ConsoleBrowser browser = browser();
    HttpResponse<String> open = browser.login(OPEN);
    assertThat(open.statusCode()).isEqualTo(401);
    assertThat(open.body()).contains("\"login\":\"form\"");
    assertThat(browser.login(credentials("ada", "wrong")).statusCode()).isEqualTo(401);
    assertThat(browser.login(credentials("eve", "secret-of-ada")).statusCode()).isEqualTo(401);

    ConsoleBrowser ada = browser();
    assertThat(ada.login(credentials("ada", "secret-of-ada")).statusCode()).isEqualTo(200);
    Document me = ada.get("/me");
    assertThat(me.field("user").asString()).isEqualTo("ada");
    assertThat(me.field("roles").toString()).contains("root@admin");
  }

  @Test
  void theKeyOpensEverything() {
    restartWithAuth();
    ConsoleBrowser browser = browser();
    assertThat(browser.login("{\"key\":\"" + KEY + "\"}").statusCode()).isEqualTo(200);
    assertThat(browser.get("/me").field("kind").asString()).isEqualTo("key");
    assertThat(browser.mongo("db", "{\"insert\":\"c\",\"documents\":[{\"_id\":1}]}").toString())
        .contains("\\\"n\\\":1");
    assertThat(browser().login("{\"key\":\"bm90IHRoZSBrZXk=\"}").statusCode()).isEqualTo(401);
  }

  @Test
  void theKeyIsShownOnlyAfterItIsProven() {
    restartWithAuth();
    ConsoleBrowser ada = browser();
    ada.login(credentials("ada", "secret-of-ada"));
    assertThat(ada.get("/connect").toString()).doesNotContain(KEY).contains("fingerprint");
    assertThat(ada.get("/settings").toString()).doesNotContain(KEY);
    Document wrong = Document.writer().put("password", "wrong").build();
    assertThat(ada.tryPost("/key", wrong).statusCode()).isEqualTo(401);
    Document right = Document.writer().put("password", "secret-of-ada").build();
    assertThat(ada.post("/key", right).field("key").asString()).isEqualTo(KEY);
  }

  @Test
  void guessingIsSlowedDownAndLoggedWithoutWhatWasTried() {
    restartWithAuth();
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    Logs.to(log, Logs.Format.TEXT, "debug");
    try {
      ConsoleBrowser browser = browser();
      for (int i = 0; i < 3; i++) {
        assertThat(browser.login(credentials("guessed-name", "guessed-word")).statusCode())
            .isEqualTo(401);
      }
      HttpResponse<String> fourth = browser.login(credentials("ada", "secret-of-ada"));
      assertThat(fourth.statusCode()).isEqualTo(429);
      assertThat(ConsoleBrowser.json(fourth).field("retryAfterMillis").asLong())
          .isBetween(1L, 1_000L);
      assertThat(browser.login("{\"key\":\"" + KEY + "\"}").statusCode()).isEqualTo(429);
    } finally {
      Logs.to(System.err, Logs.Format.TEXT, "warn");
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("failed login to the console from 127.0.0.1")
        .doesNotContain("guessed-name", "guessed-word", "secret-of-ada", KEY);
  }

  @Test
  void aLoginEndsWithLogout() {
    ConsoleBrowser browser = browser();
    browser.login(OPEN);
    HttpResponse<String> out = browser.send("POST", "/_mayfly/logout", "");
    assertThat(out.headers().firstValue("set-cookie").orElse("")).contains("Max-Age=0");
    assertThat(browser.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(401);
  }

  @Test
  void aLoginEndsWithItsUserAndItsPassword() {
    restartWithAuth();
    ConsoleBrowser ada = browser();
    ada.login(credentials("ada", "secret-of-ada"));
    ConsoleBrowser other = browser();
    other.login(credentials("ada", "secret-of-ada"));
    other.mongo("admin", "{\"updateUser\":\"ada\",\"pwd\":\"another\"}");
    assertThat(ada.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(401);
    ada.login(credentials("ada", "another"));
    assertThat(ada.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(200);
    server.mongo().users().remove(new Identity("admin", "ada"));
    assertThat(ada.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(401);
  }

  @Test
  void aLoginWithATokenOfBeforeGetsANewOne() {
    ConsoleBrowser browser = browser();
    browser.login(OPEN);
    ConsoleBrowser before = browser.copy();
    browser.login(OPEN);
    assertThat(before.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(401);
    assertThat(browser.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "origin,http://localhost:3000",
    "origin,http://evil.example",
    "origin,null",
    "sec-fetch-site,cross-site",
    "sec-fetch-site,same-site",
    "x-mayfly-csrf,AAAAAAAAAAAAAAAAAAAAAA"
  })
  void pagesOfOtherSitesCanDoNothing(String header, String value) {
    ConsoleBrowser browser = browser();
    browser.login(OPEN);
    ConsoleBrowser foreign = browser.copy().with(header, value);
    for (String path : List.of("/_mayfly/sample", "/_mayfly/sweep/pause", "/_mayfly/logout")) {
      HttpResponse<String> reply = foreign.send("POST", path, "{}");
      assertThat(reply.statusCode()).as(path).isEqualTo(403);
      assertThat(reply.headers().map().keySet())
          .noneMatch(name -> name.startsWith("access-control"));
    }
    assertThat(foreign.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(403);
    assertThat(server.mayfly().engine().sweepPaused()).isFalse();
    assertThat(browser.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(200);
  }

  @Test
  void aRequestNeedsOriginAndToken() {
    ConsoleBrowser browser = browser();
    browser.login(OPEN);
    assertThat(browser.copy().with("origin", "").send("POST", "/_mayfly/sample", "{}").statusCode())
        .isEqualTo(403);
    ConsoleBrowser withoutToken = browser.copy().with("x-mayfly-csrf", "");
    assertThat(withoutToken.send("POST", "/_mayfly/sample", "{}").statusCode()).isEqualTo(403);
    assertThat(withoutToken.send("GET", "/_mayfly/status", "").statusCode()).isEqualTo(403);
  }

  @Test
  void aFormOfAnotherSiteCannotLogIn() {
    for (String type : List.of("text/plain", "application/x-www-form-urlencoded")) {
      ConsoleBrowser form =
          browser()
              .with("origin", "http://evil.example")
              .with("sec-fetch-site", "cross-site")
              .with("content-type", type);
      HttpResponse<String> reply = form.send("POST", "/_mayfly/login", "{}");
      assertThat(reply.statusCode()).isEqualTo(403);
      assertThat(reply.headers().firstValue("set-cookie")).isEmpty();
    }
    ConsoleBrowser own = browser().with("content-type", "text/plain");
    assertThat(own.send("POST", "/_mayfly/login", "{}").statusCode()).isEqualTo(415);
  }

  @Test
  void aPageWithoutALoginIsRefusedAsBefore() {
    ConsoleBrowser page = browser();
    assertThat(page.send("GET", "/_mayfly/collections", "").statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/_console/", "/_mayfly/me"})
  void aForeignNameOfThisMachineIsRefused(String path) throws IOException {
    String reply =
        raw("GET " + path + " HTTP/1.1\r\nhost: evil.example:8081\r\nconnection: close\r\n\r\n");
    assertThat(reply).startsWith("HTTP/1.1 403");
  }

  private String raw(String request) throws IOException {
    int port = server.cosmos().orElseThrow().port();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void withTlsTheCookieIsForThisHostAndTlsOnly() throws Exception {
    String address = server.cosmos().orElseThrow().endpoint().replaceFirst("/$", "");
    assertThat(address).startsWith("https://");
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
    try (HttpClient secure = HttpClient.newBuilder().sslContext(context).build()) {
      ConsoleBrowser browser = new ConsoleBrowser(secure, address);
      HttpResponse<String> login = browser.login(OPEN);
      assertThat(login.headers().firstValue("set-cookie").orElse(""))
          .matches("__Host-mayfly=[\\w-]{22}; HttpOnly; SameSite=Strict; Path=/; Secure");
      assertThat(browser.get("/me").field("secure").asBoolean()).isTrue();
    }
  }

  /** Accepts the certificate that the server has made for itself. */
  private static final class Trusting extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  @Test
  void browsersAreSentToTheConsole() {
    ConsoleBrowser browser = browser().with("accept", "text/html,application/xhtml+xml");
    for (String path : List.of("/", "/_explorer/", "/_explorer/index.html", "/_console")) {
      HttpResponse<String> reply = browser.send("GET", path, "");
      assertThat(reply.statusCode()).as(path).isEqualTo(302);
      assertThat(reply.headers().firstValue("location")).contains("/_console/");
    }
    ConsoleBrowser program = browser().with("authorization", "type=master");
    assertThat(program.with("accept", "text/html").send("GET", "/", "").statusCode())
        .isNotEqualTo(302);
    assertThat(browser().send("GET", "/", "").statusCode()).isNotEqualTo(302);
  }

  @Test
  void aBrowserAtThePortForMongoDbGetsTheAddressOfTheConsole() throws IOException {
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), server.mongo().address().getPort())) {
      socket.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
          .startsWith("HTTP/1.1 400")
          .contains(server.consoleUrl().orElseThrow());
    }
  }

  @Test
  void aConsoleThatIsOffIsNotServed() {
    restart(
        ServerSettings.inMemory()
            .withConsole(ConsoleSettings.standard().withReach(ConsoleSettings.Reach.OFF)));
    assertThat(server.consoleUrl()).isEmpty();
    ConsoleBrowser browser =
        new ConsoleBrowser(client, server.operatorUrl().orElseThrow().replaceFirst("/$", ""));
    assertThat(browser.send("GET", "/_console/", "").statusCode()).isEqualTo(404);
    assertThat(browser.send("POST", "/_mayfly/login", "{}").statusCode()).isEqualTo(404);
  }

  @Test
  void aLabelMayEndWithItsColour() {
    restart(
        ServerSettings.inMemory()
            .withConsole(ConsoleSettings.standard().withLabel("shop production red")));
    ConsoleBrowser browser = browser();
    browser.login(OPEN);
    assertThat(browser.get("/me").field("label").asString()).isEqualTo("shop production");
    assertThat(browser.get("/me").field("colour").asString()).isEqualTo("red");
  }
}
