package dev.mayfly.engine.deliver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.ArchiveStatus;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Limits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HttpDeliveryTest {
  private static final String SECRET = "a secret";

  private final List<String> batches = new CopyOnWriteArrayList<>();
  private final List<Document> lines = new CopyOnWriteArrayList<>();
  private final List<String> badSignatures = new CopyOnWriteArrayList<>();
  private volatile int status = 200;
  private HttpServer receiver;
  private ArchiveFixture fixture;

  @BeforeEach
  void open() throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/in", this::receive);
    receiver.start();
    String host = "127.0.0.1:" + receiver.getAddress().getPort();
    fixture =
        new ArchiveFixture(ArchiveSettings.STANDARD.withHosts(List.of(host)).withSecret(SECRET));
    fixture.create(OnExpire.post(URI.create("http://" + host + "/in")));
  }

  @AfterEach
  void close() {
    fixture.close();
    receiver.stop(0);
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      String batch = exchange.getRequestHeaders().getFirst("Mayfly-Batch");
      String signature = exchange.getRequestHeaders().getFirst("Mayfly-Signature");
      if (!signature.equals(expected(signature, batch, body))) {
        badSignatures.add(signature);
      }
      if (status == 200) {
        batches.add(batch);
        new String(body, UTF_8)
            .lines()
            .forEach(line -> lines.add(ExtendedJson.parse(line, Limits.MONGO)));
      }
      if (status == 302) {
        exchange.getResponseHeaders().add("Location", "/elsewhere");
      }
      exchange.sendResponseHeaders(status, -1);
    }
  }

  private static String expected(String signature, String batch, byte[] body) {
    try {
      String time = signature.substring(2, signature.indexOf(','));
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(SECRET.getBytes(UTF_8), "HmacSHA256"));
      mac.update((time + "." + batch + ".").getBytes(UTF_8));
      return "t=" + time + ",v1=" + HexFormat.of().formatHex(mac.doFinal(body));
    } catch (java.security.GeneralSecurityException missing) {
      throw new IllegalStateException(missing);
    }
  }

  @Test
  void batchesAreSentAndSigned() {
    fixture.insert(0, 1500);
    fixture.expire();
    assertThat(batches).hasSizeGreaterThan(1).doesNotHaveDuplicates();
    assertThat(badSignatures).isEmpty();
    assertThat(lines)
        .extracting(line -> line.at(FieldPath.of("document._id")).asInt())
        .containsExactlyElementsOf(java.util.stream.IntStream.range(0, 1500).boxed().toList());
    assertThat(lines.getFirst().field("collection").asString()).isEqualTo("db.things");
    assertThat(lines.getFirst().field("expiredAt").asDate()).isEqualTo(1_700_000_010_000L);
    Set<String> ids = new LinkedHashSet<>();
    lines.forEach(line -> ids.add(line.field("id").asString()));
    assertThat(ids).hasSize(1500);
  }

  @Test
  void anythingButSuccessIsRepeated() {
    fixture.insert(0, 3);
    for (int refused : List.of(400, 404, 429, 500, 302)) {
      status = refused;
      fixture.expire();
      ArchiveStatus failing = fixture.things().expiry().archiveStatus();
      assertThat(failing.waiting()).isEqualTo(3);
      assertThat(failing.lastFailure()).contains("replied with status " + refused);
    }
    assertThat(lines).isEmpty();
    status = 200;
    fixture.engine.workUntilIdle();
    assertThat(lines).hasSize(3);
    assertThat(fixture.things().expiry().archiveStatus().delivered()).isEqualTo(3);
  }

  @Test
  void aReceiverThatIsDownKeepsTheDocuments() {
    receiver.stop(0);
    fixture.insert(0, 3);
    fixture.expire();
    ArchiveStatus failing = fixture.things().expiry().archiveStatus();
    assertThat(failing.waiting()).isEqualTo(3);
    assertThat(failing.lastFailure()).contains("cannot be reached");
    assertThat(failing.failures()).isPositive();
  }
}
