package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The official Java driver with TLS and SCRAM. */
final class SecureLoginTest {
  private static final String PASSWORD = "of the file";
  private static final String ALIAS = "mayfly";

  @TempDir private Path directory;

  private SSLContext trusting;
  @AutoClose private ServerProcess server;

  @BeforeEach
  void open() throws IOException, InterruptedException, GeneralSecurityException {
    Path file = directory.resolve("certificate.p12");
    createCertificate(file);
    trusting = trust(file);
    server = ServerProcess.secured(file, PASSWORD, "--auth", "always");
  }

  /** Creates a certificate for this machine, as an operator would. */
  private static void createCertificate(Path file) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor()).isZero();
  }

  /** Trusts only the certificate of the file. */
  private static SSLContext trust(Path file) throws IOException, GeneralSecurityException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(file)) {
      own.load(bytes, PASSWORD.toCharArray());
    }
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, null);
    known.setCertificateEntry(ALIAS, own.getCertificate(ALIAS));
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }

  private MongoClientSettings.Builder settings() {
    return server.settings().applyToSslSettings(ssl -> ssl.enabled(true).context(trusting));
  }

  private MongoClient as(String user, String password) {
    return MongoClients.create(
        settings()
            .credential(MongoCredential.createCredential(user, "admin", password.toCharArray()))
            .build());
  }

  @Test
  void usersLogInAndHaveThePrivilegesOfTheirRoles() {
    try (MongoClient nobody = MongoClients.create(settings().build())) {
      nobody
          .getDatabase("admin")
          .runCommand(Document.parse("{createUser: 'root', pwd: 'r00t', roles: ['root']}"));
      assertThatThrownBy(() -> nobody.getDatabase("d").getCollection("c").countDocuments())
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              refused -> assertThat(refused.getErrorCode()).isEqualTo(13));
    }
    try (MongoClient root = as("root", "r00t")) {
      root.getDatabase("admin")
          .runCommand(
              Document.parse("{createUser: 'reader', pwd: 'r', roles: [{role: 'read', db: 'd'}]}"));
      root.getDatabase("d").getCollection("c").insertOne(new Document("_id", 1));
    }
    try (MongoClient reader = as("reader", "r")) {
      MongoCollection<Document> collection = reader.getDatabase("d").getCollection("c");
      assertThat(collection.countDocuments()).isEqualTo(1);
      assertThatThrownBy(() -> collection.insertOne(new Document("_id", 2)))
          .isInstanceOfSatisfying(
              MongoCommandException.class,
              refused -> assertThat(refused.getErrorCode()).isEqualTo(13));
    }
    try (MongoClient stranger = as("root", "wrong")) {
      assertThatThrownBy(() -> stranger.getDatabase("d").getCollection("c").countDocuments())
          .isInstanceOf(MongoSecurityException.class);
    }
  }
}
