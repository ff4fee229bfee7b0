package dev.mayfly.cli;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.Mayfly;
import dev.mayfly.MayflySettings;
import dev.mayfly.config.ConfigurationFile;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.server.OwnKey;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The archive of a bug report has what is needed, and no secrets. */
final class DoctorTest {
  /** Part of every planted secret. */
  private static final String PLANTED = "Pl4nted";

  private static final String KEY =
      Base64.getEncoder()
          .encodeToString(PLANTED.repeat(10).substring(0, 64).getBytes(StandardCharsets.UTF_8));

  @TempDir private Path directory;

  private Path data() {
    return directory.resolve("data");
  }

  private Path archive() {
    return directory.resolve("report.zip");
  }

  private CommandLineRun doctor(Map<String, String> environment, String... more) {
    List<String> options = List.of("doctor", "--data", data().toString(), "--out", archive() + "");
    return CommandLineRun.in(
        environment, Stream.concat(options.stream(), Stream.of(more)).toArray(String[]::new));
  }

  private Map<String, String> texts() throws IOException {
    Map<String, String> texts = new TreeMap<>();
    try (ZipFile zip = new ZipFile(archive().toFile())) {
      for (ZipEntry entry : zip.stream().toList()) {
        try (InputStream in = zip.getInputStream(entry)) {
          texts.put(entry.getName(), new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
      }
    }
    return texts;
  }

  private void run(String... command) {
    CommandLineRun run =
        CommandLineRun.of(
            Stream.concat(Stream.of(command), Stream.of("--data", data().toString()))
                .toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
  }

  /** An action on expiry whose address contains secrets, as those of many services do. */
  private void plantAddress() {
    ArchiveSettings allowed = ArchiveSettings.STANDARD.withHosts(List.of("hooks.example:8443"));
    URI address = URI.create("http://hooks.example:8443/services/%1$s?sig=%1$s".formatted(PLANTED));
    try (Mayfly mayfly = Mayfly.open(data(), MayflySettings.standard().withArchive(allowed))) {
      mayfly.create("shop", "hooks", CollectionSpec.mongo().withOnExpire(OnExpire.post(address)));
    }
  }

  /** Documents, ids, a user and a key that must not be in the archive. */
  private void plant() throws IOException {
    Path documents = directory.resolve("documents.json");
    Files.writeString(
        documents,
        """
        {"_id": "id-%1$s", "card": "%1$s", "password": "%1$s-2"}
        {"_id": 2, "at": "%1$s", "nested": {"token": "%1$s"}}
        """
            .formatted(PLANTED));
    run("import", "shop.carts", documents.toString());
    run("ttl", "set", "shop.carts", "--after", "1h", "--grace", "1d");
    Path password = directory.resolve("password");
    Files.writeString(password, PLANTED + "-user\n");
    run("users", "add", "eve" + PLANTED, "--password-file", password.toString());
    Files.writeString(OwnKey.file(data()), PLANTED + "-own-key\n");
  }

  private Path config() throws IOException {
    Path file = directory.resolve(ConfigurationFile.STANDARD);
    return Files.writeString(
        file, "slow-millis: 50\ntls-password: " + PLANTED + "-tls\nconsole-label: test\n");
  }

  private Path log() throws IOException {
    return Files.writeString(
        directory.resolve("server.log"),
        """
        INFO ready
        WARN connect mongodb://eve:%1$s-url@localhost:27017/?tls=true
        WARN authorization: Bearer %1$s-bearer
        WARN serve --on-expire-secret %1$s-option --tls-names localhost
        WARN --cosmos-key %1$s-option -Djavax.net.ssl.keyStorePassword=%1$s-java
        WARN AccountEndpoint=https://localhost:8081/;AccountKey=%1$s-account;
        WARN {"pwd-token": "%1$s in several words", "n": 1}
        WARN key %2$s of a client
        WARN variable %1$s-variable
        -----BEGIN PRIVATE KEY-----
        %1$s
        -----END PRIVATE KEY-----
        ERROR the last line
        """
            .formatted(PLANTED, KEY));
  }

  private static void assertClean(Map<String, String> texts) {
    texts.forEach((name, text) -> assertThat(text).as(name).doesNotContain(PLANTED, KEY));
  }

  private Map<String, String> environment() {
    return Map.ofEntries(
        entry("MAYFLY_COSMOS_KEY", KEY),
        entry("SOME_API_TOKEN", PLANTED + "-variable"),
        entry("MONGO_INITDB_ROOT_PASSWORD", PLANTED + "-root"));
  }

  @Test
  void theReportOfAServerHasNoSecrets() throws IOException {
    plantAddress();
    try (Server server = Server.open(ServerSettings.inMemory().withData(data()))) {
      String url = server.cosmos().orElseThrow().endpoint().replace("https:", "http:");
      Target.writeAddress(data(), url);
      plant();
      CommandLineRun run =
          doctor(environment(), "--config", config().toString(), "--log", log().toString());
      assertThat(run.exit()).as(run.err()).isZero();
      assertThat(run.out()).startsWith("Wrote " + archive());
    }
    Map<String, String> texts = texts();
    assertClean(texts);
    assertThat(texts.get("system.txt")).contains("mayfly: " + Mayfly.VERSION, "java: ", "os.name");
    assertThat(texts.get("settings.txt"))
        .contains("cosmos-key (environment): set", "tls-password (file): set")
        .contains("slow-millis (file): 50", "mongo-port (default): 27017");
    assertThat(texts.get("files.txt")).contains("format: mayfly-rocksdb ", "CURRENT", "cosmos-key");
    assertThat(texts.get("check.txt")).startsWith("A server is running: ready");
    assertThat(texts.get("collections.json")).contains("shop", "carts");
    assertThat(texts.get("ttl.json"))
        .contains("last write", "\"graceSeconds\"")
        .contains("\"http://hooks.example:8443/(removed)\"");
    assertThat(texts.get("metrics.txt")).contains("mayfly_build_info");
    assertThat(texts.get("alarms.json")).contains("alarms");
    assertThat(texts.get("log.txt"))
        .contains("INFO ready", "mongodb://eve:(removed)@localhost", "ERROR the last line")
        .contains("--on-expire-secret (removed) --tls-names localhost");
  }

  @Test
  void theReportOfADirectoryHasNoSecrets() throws IOException {
    plantAddress();
    plant();
    CommandLineRun run = doctor(environment(), "--json");
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("\"file\"");
    Map<String, String> texts = texts();
    assertClean(texts);
    assertThat(texts.get("check.txt")).startsWith("No server is running. The directory was opened");
    assertThat(texts.get("ttl.json")).contains("carts");
    assertThat(texts.get("metrics.txt")).contains("no server is running");
  }

  @Test
  void aDamagedDirectoryIsReported() throws IOException {
    Mayfly.open(data()).close();
    Files.writeString(data().resolve("FORMAT"), "nonsense");
    assertThat(doctor(Map.of()).exit()).isZero();
    assertThat(texts().get("check.txt")).contains("Cannot be opened: ", "not a format file");
    assertThat(texts().get("files.txt")).contains("format: nonsense");
  }

  @Test
  void invalidSettingsAreReportedWithoutTheFile() throws IOException {
    Path file = directory.resolve("mayfly.yaml");
    Files.writeString(file, "cosmos-key: " + PLANTED + ": x\n bad: " + PLANTED + "\n");
    assertThat(doctor(Map.of(), "--config", file.toString()).exit()).isZero();
    assertThat(texts().get("settings.txt")).contains("is not valid YAML");
    assertClean(texts());
  }

  @Test
  void withoutDataThereIsAReport() throws IOException {
    CommandLineRun run = doctor(Map.of());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(texts()).containsKeys("system.txt", "settings.txt", "files.txt", "check.txt");
    assertThat(texts().get("check.txt")).contains("There is no data in");
  }

  @Test
  void onlyTheEndOfALongLogIsKept() throws IOException {
    Path log = directory.resolve("long.log");
    Files.writeString(log, "the first line\n");
    for (int i = 0; i < 3; i++) {
      Files.writeString(log, ("x".repeat(999) + "\n").repeat(500), StandardOpenOption.APPEND);
    }
    Files.writeString(log, "the last line\n", StandardOpenOption.APPEND);
    assertThat(doctor(Map.of(), "--log", log.toString()).exit()).isZero();
    assertThat(texts().get("log.txt")).endsWith("the last line\n").doesNotContain("the first line");
    assertThat(texts().get("log.txt")).hasSizeBetween(900_000, 1 << 20);
  }

  @Test
  void anExistingFileIsNotReplaced() throws IOException {
    Files.writeString(archive(), "mine");
    CommandLineRun run = doctor(Map.of());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("already exists");
    assertThat(archive()).hasContent("mine");
  }
}
