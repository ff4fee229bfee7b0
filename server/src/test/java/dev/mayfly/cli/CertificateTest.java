package dev.mayfly.cli;

import static java.net.http.HttpResponse.BodyHandlers.ofString;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.config.Configuration;
import dev.mayfly.config.ConfigurationException;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates of a server, and the command {@code certificate export}. */
final class CertificateTest {
  private static final Path FIXTURES = Path.of("../http/src/test/resources/dev/mayfly/http/tls");

  private static ServerSettings settings(Map<String, String> options) {
    Map<String, String> all =
        new HashMap<>(Map.of("in-memory", "true", "mongo-port", "0", "cosmos-port", "0"));
    all.putAll(options);
    if (all.containsKey("data")) {
      all.remove("in-memory");
    }
    return new SettingsMapper(Configuration.of(all, Map.of(), Map.of(), List.of()), Map.of())
        .settings(List.of());
  }

  private static String pem(Server server) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      String url = "http://127.0.0.1:" + port(server) + "/_explorer/emulator.pem";
      return client.send(HttpRequest.newBuilder(URI.create(url)).build(), ofString()).body();
    }
  }

  private static int port(Server server) {
    return server.cosmos().orElseThrow().port();
  }

  /** Status of a health check over TLS, for a client that trusts a certificate. */
  private static int status(Server server, String host, String trusted) throws Exception {
    try (HttpClient client = HttpClient.newBuilder().sslContext(trusting(trusted)).build()) {
      URI uri = URI.create("https://" + host + ":" + port(server) + "/healthz");
      return client.send(HttpRequest.newBuilder(uri).build(), ofString()).statusCode();
    }
  }

  private static SSLContext trusting(String pem) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "server",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII))));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  @Test
  void theServerOffersTheCertificateThatClientsMustTrust() throws Exception {
    try (Server server = Server.open(settings(Map.of()))) {
      String pem = pem(server);
      assertThat(status(server, "localhost", pem)).isEqualTo(200);
      assertThat(status(server, "127.0.0.1", pem)).isEqualTo(200);
    }
  }

  @Test
  void theAuthorityOfADataDirectoryIsTrustedOnce(@TempDir Path directory) throws Exception {
    Path data = directory.resolve("data");
    String early = CommandLineRun.of("certificate", "export", "--data", data.toString()).err();
    assertThat(early).contains("There is no certificate authority");
    ServerSettings settings = settings(Map.of("data", data.toString()));
    Server.open(settings).close();
    Path file = directory.resolve("ca.pem");
    CommandLineRun.of("certificate", "export", "--data", data.toString(), "--out", file.toString());
    String exported = Files.readString(file);
    try (Server again = Server.open(settings)) {
      assertThat(pem(again)).isEqualTo(exported);
      assertThat(status(again, "localhost", exported)).isEqualTo(200);
    }
  }

  @Test
  void serversShareAnAuthority(@TempDir Path directory) throws Exception {
    Path authority = directory.resolve("authority");
    String exported =
        CommandLineRun.of("certificate", "export", "--tls-authority", authority.toString()).out();
    ServerSettings settings = settings(Map.of("tls-authority", authority.toString()));
    try (Server one = Server.open(settings);
        Server other = Server.open(settings)) {
      assertThat(status(one, "localhost", exported)).isEqualTo(200);
      assertThat(status(other, "localhost", exported)).isEqualTo(200);
    }
  }

  @Test
  void configuredPemFilesAreUsed() throws Exception {
    String certificate = FIXTURES.resolve("pkcs1.pem").toString();
    ServerSettings settings =
        settings(
            Map.of(
                "tls-certificate",
                certificate,
                "tls-key",
                FIXTURES.resolve("pkcs1.key.pem").toString()));
    try (Server server = Server.open(settings)) {
      String own = Files.readString(Path.of(certificate));
      assertThat(status(server, "localhost", own)).isEqualTo(200);
      assertThatThrownBy(() -> status(server, "127.0.0.1", own))
          .isInstanceOf(SSLHandshakeException.class);
      assertThat(settings.mongo().security().tls()).isPresent();
    }
  }

  @Test
  void invalidSettingsAreErrors() {
    assertInvalid("set both, or neither", Map.of("tls-certificate", "x.pem"));
    String file = FIXTURES.resolve("sec1.pem").toString();
    assertInvalid("no private key", Map.of("tls-certificate", file, "tls-key", file));
    assertInvalid("neither a host name nor an address", Map.of("tls-names", "a.example, b c"));
    assertInvalid("use only one", Map.of("tls", "a.p12", "tls-certificate", file, "tls-key", file));
  }

  private static void assertInvalid(String reason, Map<String, String> options) {
    assertThatThrownBy(() -> settings(options))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(reason);
  }
}
