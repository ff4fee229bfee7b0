package dev.mayfly.mongo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoCredential;
import com.mongodb.MongoSecurityException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.testing.RawClient;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.bson.BsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class LoginTest {
  private static final String ROOT =
      "{createUser: 'root', pwd: 'secret', roles: ['root']}".replace('\'', '"');

  private final MongoSettings settings =
      MongoSettings.standard(() -> 0).withAddress("127.0.0.1", 0).withLogin(Login.ALWAYS);
  private MemoryStore store;
  private Engine engine;
  private MongoDoor door;

  @BeforeEach
  void open() {
    store = new MemoryStore();
    engine =
        LocalEngine.open(
            store,
            () -> 1_700_000_000_000L,
            EngineSettings.standard(() -> 0).withBackground(false));
    door = MongoDoor.open(engine, settings);
  }

  @AfterEach
  void close() {
    door.close();
    engine.close();
    store.close();
  }

  private MongoClientSettings.Builder builder() {
    return MongoClientSettings.builder()
        .applyToClusterSettings(
            cluster ->
                cluster
                    .hosts(List.of(new ServerAddress(door.address())))
                    .serverSelectionTimeout(5, TimeUnit.SECONDS));
  }

  private MongoClient as(String database, String user, String password) {
    MongoCredential credential =
        MongoCredential.createCredential(user, database, password.toCharArray());
    return MongoClients.create(builder().credential(credential).build());
  }

  private static org.bson.Document run(MongoClient client, String database, String command) {
    return client.getDatabase(database).runCommand(BsonDocument.parse(command));
  }

  private void createRoot() {
    try (MongoClient client = MongoClients.create(builder().build())) {
      run(client, "admin", ROOT);
    }
  }

  private static void assertFails(int code, Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            MongoCommandException.class,
            failure -> assertThat(failure.getErrorCode()).isEqualTo(code));
  }

  @Test
  void onlyTheFirstUserCanBeCreatedWithoutALogin() {
    try (MongoClient client = MongoClients.create(builder().build())) {
      assertFails(13, () -> run(client, "admin", "{usersInfo: 1}"));
      assertFails(13, () -> run(client, "d", ROOT));
      run(client, "admin", ROOT);
      assertFails(13, () -> run(client, "admin", ROOT.replace("\"root\",", "\"other\",")));
      assertThat(run(client, "admin", "{ping: 1}").get("ok")).isEqualTo(1.0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCRAM-SHA-1", "SCRAM-SHA-256"})
  void userLogsInByEitherMechanism(String mechanism) {
    createRoot();
    MongoCredential credential =
        mechanism.equals("SCRAM-SHA-1")
            ? MongoCredential.createScramSha1Credential("root", "admin", "secret".toCharArray())
            : MongoCredential.createScramSha256Credential("root", "admin", "secret".toCharArray());
    try (MongoClient client = MongoClients.create(builder().credential(credential).build())) {
      org.bson.Document status = run(client, "admin", "{connectionStatus: 1}");
      assertThat(status.toJson()).contains("\"user\": \"root\", \"db\": \"admin\"");
    }
  }

  @Test
  void driverNegotiatesTheMechanism() {
    createRoot();
    try (MongoClient client = as("admin", "root", "secret")) {
      run(client, "d", "{createUser: 'old', pwd: 'Ünï ', roles: [], mechanisms: ['SCRAM-SHA-1']}");
      run(client, "d", "{createUser: 'new', pwd: 'Ünï ', roles: []}");
    }
    for (String user : List.of("old", "new")) {
      try (MongoClient client = as("d", user, "Ünï ")) {
        run(client, "d", "{startSession: 1}");
      }
    }
  }

  @Test
  void wrongPasswordOrUserFails() {
    createRoot();
    for (String user : List.of("root", "nobody")) {
      try (MongoClient client = as("admin", user, "wrong")) {
        assertThatThrownBy(() -> run(client, "admin", "{ping: 1}"))
            .isInstanceOf(MongoSecurityException.class)
            .hasStackTraceContaining("Authentication failed.");
      }
    }
  }

  @Test
  void rolesDetermineThePrivilegesOfAUser() {
    createRoot();
    try (MongoClient root = as("admin", "root", "secret")) {
      run(root, "d", "{createUser: 'boss', pwd: 'p', roles: ['userAdmin']}");
      run(root, "d", "{createUser: 'clerk', pwd: 'p', roles: ['read']}");
    }
    try (MongoClient boss = as("d", "boss", "p")) {
      run(boss, "d", "{grantRolesToUser: 'clerk', roles: ['readWrite']}");
      assertThat(run(boss, "d", "{usersInfo: 'clerk'}").toJson())
          .contains("{\"role\": \"readWrite\", \"db\": \"d\"}")
          .doesNotContain("storedKey");
      run(boss, "d", "{revokeRolesFromUser: 'clerk', roles: ['read', 'readWrite']}");
      assertFails(13, () -> run(boss, "e", "{usersInfo: 1}"));
      assertFails(13, () -> run(boss, "admin", "{killAllSessions: []}"));
      assertFails(
          13,
          () ->
              run(boss, "d", "{grantRolesToUser: 'clerk', roles: [{role: 'root', db: 'admin'}]}"));
    }
    try (MongoClient clerk = as("d", "clerk", "p")) {
      assertFails(13, () -> run(clerk, "d", "{createUser: 'x', pwd: 'p', roles: []}"));
      run(clerk, "d", "{usersInfo: 'clerk'}");
      run(clerk, "d", "{logout: 1}");
    }
  }

  @Test
  void usersArePersistent() {
    createRoot();
    try (MongoClient client = as("admin", "root", "secret")) {
      run(client, "d", "{createUser: 'a', pwd: 'one', roles: [], customData: {k: 1}}");
      run(client, "d", "{createUser: 'b', pwd: 'one', roles: []}");
      run(client, "d", "{updateUser: 'a', pwd: 'two'}");
      run(client, "d", "{dropUser: 'b'}");
      assertFails(11, () -> run(client, "d", "{dropUser: 'b'}"));
      assertFails(51003, () -> run(client, "d", "{createUser: 'a', pwd: 'x', roles: []}"));
      assertFails(31, () -> run(client, "d", "{createUser: 'c', pwd: 'x', roles: ['root']}"));
    }
    door.close();
    door = MongoDoor.open(engine, settings);
    try (MongoClient client = as("d", "a", "two")) {
      assertThat(run(client, "d", "{usersInfo: 'a'}").toJson()).contains("{\"k\": 1}");
    }
  }

  @Test
  void loopbackClientsNeedNoLoginInModeRemote() throws IOException {
    door.close();
    door = MongoDoor.open(engine, settings.withLogin(Login.REMOTE));
    try (RawClient client = new RawClient(door.address())) {
      Document reply = client.call("{\"usersInfo\":1,\"$db\":\"admin\"}");
      assertThat(reply.field("ok").asDouble()).isEqualTo(1.0);
    }
  }

  @Test
  void tlsAndPlaintextShareAPort() throws Exception {
    door.close();
    SSLContext context = context();
    door = MongoDoor.open(engine, settings.withLogin(Login.NEVER).withTls(context));
    MongoClientSettings secret =
        builder().applyToSslSettings(tls -> tls.enabled(true).context(context)).build();
    try (MongoClient plain = MongoClients.create(builder().build());
        MongoClient secure = MongoClients.create(secret)) {
      assertThat(run(secure, "admin", "{ping: 1}").get("ok")).isEqualTo(1.0);
      assertThat(run(plain, "admin", "{ping: 1}").get("ok")).isEqualTo(1.0);
    }
  }

  @ParameterizedTest
  @EnumSource
  void plaintextPolicyDecidesAboutPlaintextClients(PlaintextPolicy plaintextPolicy)
      throws Exception {
    door.close();
    SSLContext context = context();
    door =
        MongoDoor.open(
            engine,
            settings.withLogin(Login.NEVER).withTls(context).withPlaintextPolicy(plaintextPolicy));
    MongoClientSettings secret =
        builder().applyToSslSettings(tls -> tls.enabled(true).context(context)).build();
    try (MongoClient secure = MongoClients.create(secret)) {
      assertThat(run(secure, "admin", "{ping: 1}").get("ok")).isEqualTo(1.0);
    }
    try (RawClient client = new RawClient(door.address())) {
      if (plaintextPolicy == PlaintextPolicy.NONE) {
        assertThatThrownBy(() -> client.call("{\"ping\":1,\"$db\":\"admin\"}"))
            .isInstanceOf(IOException.class);
      } else {
        Document reply = client.call("{\"ping\":1,\"$db\":\"admin\"}");
        assertThat(reply.field("ok").asDouble()).isEqualTo(1.0);
      }
    }
  }

  @Test
  void plaintextPolicyLoopbackRejectsRemoteClients() {
    Client remote = new Client(1, "192.0.2.7:50000", "192.0.2.1:27017");
    Client local = new Client(2, "127.0.0.1:50000", "127.0.0.1:27017");
    assertThat(PlaintextPolicy.LOOPBACK.allows(remote)).isFalse();
    assertThat(PlaintextPolicy.LOOPBACK.allows(local)).isTrue();
  }

  static SSLContext context() throws IOException, GeneralSecurityException {
    KeyStore keys = KeyStore.getInstance("PKCS12");
    char[] password = "changeit".toCharArray();
    try (InputStream file = LoginTest.class.getResourceAsStream("server.p12")) {
      keys.load(Objects.requireNonNull(file), password);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, password);
    KeyStore known = KeyStore.getInstance("PKCS12");
    known.load(null, password);
    known.setCertificateEntry("mayfly", keys.getCertificate("mayfly"));
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(known);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
    return context;
  }

  private static Document started(RawClient client, String user, String mechanism)
      throws IOException {
    return client.call(
        "{\"saslStart\":1,\"mechanism\":\""
            + mechanism
            + "\",\"payload\":\"n,,n="
            + user
            + ",r=abc\",\"$db\":\"admin\"}");
  }

  private static String challenge(RawClient client, String user, String mechanism)
      throws IOException {
    Document reply = started(client, user, mechanism);
    assertThat(reply.field("ok").asDouble()).as(reply.toString()).isEqualTo(1);
    String payload = new String(reply.field("payload").asBinary(), StandardCharsets.UTF_8);
    return payload.substring(payload.indexOf(",s="));
  }

  @ParameterizedTest
  @ValueSource(strings = {"SCRAM-SHA-1", "SCRAM-SHA-256"})
  void unknownUserGetsTheChallengeOfAnExistingOne(String mechanism) throws IOException {
    createRoot();
    String unknown;
    try (RawClient client = new RawClient(door.address())) {
      unknown = challenge(client, "nobody", mechanism);
      assertThat(challenge(client, "nobody", mechanism)).isEqualTo(unknown);
      assertThat(challenge(client, "root", mechanism))
          .hasSameSizeAs(unknown)
          .endsWith(unknown.substring(unknown.indexOf(",i=")));
      assertThat(challenge(client, "other", mechanism)).isNotEqualTo(unknown);
      Document start = started(client, "nobody", mechanism);
      String payload = new String(start.field("payload").asBinary(), StandardCharsets.UTF_8);
      String nonce = payload.substring(0, payload.indexOf(",s="));
      Document proof =
          client.call(
              "{\"saslContinue\":1,\"conversationId\":1,\"payload\":\"c=biws,"
                  + nonce
                  + ",p=AAAAAAAAAAAAAAAAAAAAAAAAAAA=\",\"$db\":\"admin\"}");
      assertThat(proof.field("code").asInt()).isEqualTo(18);
      String hello = "{\"hello\":1,\"saslSupportedMechs\":\"admin.%s\",\"$db\":\"admin\"}";
      assertThat(client.call(hello.formatted("nobody")).field("saslSupportedMechs"))
          .isEqualTo(client.call(hello.formatted("root")).field("saslSupportedMechs"));
    }
    door.close();
    door = MongoDoor.open(engine, settings);
    try (RawClient client = new RawClient(door.address())) {
      assertThat(challenge(client, "nobody", mechanism)).isEqualTo(unknown);
    }
  }
}
