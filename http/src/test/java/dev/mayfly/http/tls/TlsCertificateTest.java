package dev.mayfly.http.tls;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Certificates as clients see them in a handshake. */
final class TlsCertificateTest {
  private static final List<String> NAMES =
      List.of("localhost", "127.0.0.1", "::1", "db.example", "*.test");

  /** Clients compare certificates with the system clock. */
  private static final LongSupplier WALL = System::currentTimeMillis;

  private final AtomicLong clock = new AtomicLong(WALL.getAsLong());

  private static SSLContext trusting(String pem) throws GeneralSecurityException, IOException {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("authority", parse(pem));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  private static X509Certificate parse(String pem) throws GeneralSecurityException {
    return (X509Certificate)
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(pem.getBytes(US_ASCII)));
  }

  /** Returns the certificate that a client gets that trusts one, and requires a name. */
  private static X509Certificate handshake(TlsCertificate certificate, String trusted, String name)
      throws Exception {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    try (SSLServerSocket server =
            (SSLServerSocket)
                certificate.context().getServerSocketFactory().createServerSocket(0, 1, loopback);
        Socket plain = new Socket(loopback, server.getLocalPort());
        SSLSocket client =
            (SSLSocket)
                trusting(trusted)
                    .getSocketFactory()
                    .createSocket(plain, name, server.getLocalPort(), true)) {
      Thread.ofVirtual().start(() -> serve(server));
      SSLParameters parameters = client.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      client.setSSLParameters(parameters);
      client.startHandshake();
      return (X509Certificate) client.getSession().getPeerCertificates()[0];
    }
  }

  private static void serve(SSLServerSocket server) {
    try (Socket accepted = server.accept()) {
      accepted.getInputStream().read();
    } catch (IOException ended) {
      // the client has closed its connection, or rejected the certificate
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "127.0.0.1", "::1", "db.example", "any.test"})
  void clientsThatTrustTheAuthorityAcceptAllNames(String name) throws Exception {
    CertificateAuthority authority = CertificateAuthority.create(clock.get());
    TlsCertificate certificate = TlsCertificate.issuedBy(authority, NAMES, clock::get);
    X509Certificate leaf = handshake(certificate, authority.pem(), name);
    assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
    assertThat(certificate.pem()).isEqualTo(authority.pem());
    assertThat(certificate.names()).containsExactlyInAnyOrder("localhost", "db.example");
  }

  @Test
  void otherNamesAndAuthoritiesAreRejected() {
    CertificateAuthority authority = CertificateAuthority.create(clock.get());
    TlsCertificate certificate = TlsCertificate.issuedBy(authority, NAMES, clock::get);
    assertThatThrownBy(() -> handshake(certificate, authority.pem(), "other.example"))
        .isInstanceOf(SSLHandshakeException.class);
    String other = CertificateAuthority.create(clock.get()).pem();
    assertThatThrownBy(() -> handshake(certificate, other, "localhost"))
        .isInstanceOf(SSLHandshakeException.class);
    assertThatThrownBy(() -> TlsCertificate.issuedBy(authority, List.of("1.2.3.4.5"), clock::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1.2.3.4.5");
  }

  @Test
  void theAuthorityIsStoredForItsOwnerAndReplacedBeforeItEnds(@TempDir Path directory)
      throws Exception {
    Path file = directory.resolve("made").resolve("authority.p12");
    String first = CertificateAuthority.in(file, clock.get()).pem();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(CertificateAuthority.in(file, clock.get()).pem()).isEqualTo(first);
    long nineYears = clock.get() + Duration.ofDays(3285).toMillis();
    assertThat(CertificateAuthority.in(file, nineYears).pem()).isEqualTo(first);
    long almostTen = clock.get() + Duration.ofDays(3500).toMillis();
    String next = CertificateAuthority.in(file, almostTen).pem();
    assertThat(next).isNotEqualTo(first);
    assertThat(CertificateAuthority.in(file, almostTen).pem()).isEqualTo(next);
    assertThat(parse(next).getBasicConstraints()).isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    Files.writeString(file, "something else");
    assertThatThrownBy(() -> CertificateAuthority.in(file, clock.get()))
        .hasMessageContaining(file.toString());
  }

  @Test
  void anAutomaticCertificateIsRenewedBeforeItEnds() throws Exception {
    CertificateAuthority authority = CertificateAuthority.create(clock.get());
    TlsCertificate certificate = TlsCertificate.issuedBy(authority, NAMES, clock::get);
    X509Certificate first = handshake(certificate, authority.pem(), "localhost");
    clock.addAndGet(TimeUnit.DAYS.toMillis(59));
    assertThat(certificate.current().leaf()).isEqualTo(first);
    clock.addAndGet(TimeUnit.DAYS.toMillis(1));
    X509Certificate second = certificate.current().leaf();
    assertThat(second.getNotAfter()).isAfter(first.getNotAfter());
    assertThat(second.getSubjectAlternativeNames())
        .containsExactlyElementsOf(first.getSubjectAlternativeNames());
    assertThat(certificate.pem()).isEqualTo(authority.pem());
  }

  /** Keys as openssl writes them: genrsa, ecparam, genpkey, pkcs8 -topk8. */
  @ParameterizedTest
  @ValueSource(strings = {"pkcs1", "sec1", "sec1long", "ed25519", "encrypted"})
  void keysOfAllFormsAreRead(String form) throws Exception {
    Path directory = Path.of("src/test/resources/dev/mayfly/http/tls");
    Path certificateFile = directory.resolve(form + ".pem");
    TlsCertificate certificate =
        TlsCertificate.inPem(
            certificateFile, directory.resolve(form + ".key.pem"), "secret", clock::get);
    String pem = Files.readString(certificateFile);
    assertThat(handshake(certificate, pem, "localhost")).isEqualTo(parse(pem));
    assertThat(certificate.names()).containsExactly("localhost");
  }

  @Test
  void anEncryptedKeyNeedsItsPassword() {
    Path directory = Path.of("src/test/resources/dev/mayfly/http/tls");
    for (String password : List.of("", "wrong")) {
      assertThatThrownBy(
              () ->
                  TlsCertificate.inPem(
                      directory.resolve("encrypted.pem"),
                      directory.resolve("encrypted.key.pem"),
                      password,
                      clock::get))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("tls-password");
    }
  }

  @Test
  void pemFilesAreReadAgainWhenTheyChange(@TempDir Path directory) throws Exception {
    Path certificateFile = directory.resolve("certificate.pem");
    Path keyFile = directory.resolve("key.pem");
    CertificateAuthority authority = CertificateAuthority.create(clock.get());
    X509Certificate first = write(authority, certificateFile, keyFile, 1);
    TlsCertificate certificate = TlsCertificate.inPem(certificateFile, keyFile, "", clock::get);
    assertThat(handshake(certificate, authority.pem(), "localhost")).isEqualTo(first);
    X509Certificate second = write(authority, certificateFile, keyFile, 2);
    clock.addAndGet(TimeUnit.MINUTES.toMillis(1));
    assertThat(handshake(certificate, authority.pem(), "localhost")).isEqualTo(second);
    Files.writeString(certificateFile, "broken");
    clock.addAndGet(TimeUnit.MINUTES.toMillis(1));
    assertThat(handshake(certificate, authority.pem(), "localhost")).isEqualTo(second);
  }

  private X509Certificate write(
      CertificateAuthority authority, Path certificateFile, Path keyFile, int time)
      throws IOException {
    KeyAndChain issued = authority.issue(List.of("localhost"), clock.get());
    StringBuilder chain = new StringBuilder();
    issued.chain().forEach(each -> chain.append(KeyAndChain.pem(each)));
    Files.writeString(certificateFile, chain);
    Files.writeString(keyFile, pem("PRIVATE KEY", issued.key().getEncoded()));
    for (Path file : List.of(certificateFile, keyFile)) {
      Files.setLastModifiedTime(file, FileTime.fromMillis(TimeUnit.HOURS.toMillis(time)));
    }
    return issued.leaf();
  }

  private static String pem(String type, byte[] der) {
    return "-----BEGIN "
        + type
        + "-----\n"
        + Base64.getMimeEncoder().encodeToString(der)
        + "\n-----END "
        + type
        + "-----\n";
  }

  @Test
  void invalidFilesAreNamed(@TempDir Path directory) throws Exception {
    Path certificateFile = directory.resolve("certificate.pem");
    Path keyFile = directory.resolve("key.pem");
    write(CertificateAuthority.create(clock.get()), certificateFile, keyFile, 1);
    Path other = directory.resolve("other.pem");
    Files.writeString(
        other,
        pem(
            "PRIVATE KEY",
            KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate().getEncoded()));
    assertThatThrownBy(() -> TlsCertificate.inPem(certificateFile, other, "", clock::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not belong");
    assertThatThrownBy(() -> TlsCertificate.inPem(keyFile, keyFile, "", clock::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(keyFile + " contains");
    assertThatThrownBy(() -> TlsCertificate.inPem(certificateFile, certificateFile, "", clock::get))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no private key");
  }
}
