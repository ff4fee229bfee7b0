package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.config.Configuration;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.server.OwnKey;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Startup message of a server. */
final class ReadyTest {
  private static final String KEY = Base64.getEncoder().encodeToString(new byte[64]);

  private static ServerSettings settings(Map<String, String> options) {
    Map<String, String> all = new HashMap<>(Map.of("mongo-port", "0", "cosmos-port", "0"));
    all.putAll(options);
    return new SettingsMapper(Configuration.of(all, Map.of(), Map.of(), List.of()), Map.of())
        .settings(List.of());
  }

  @Test
  void readyPrintsAddressesAndWarnings() {
    ServerSettings settings =
        settings(Map.of("in-memory", "true", "bind", "0.0.0.0", "cosmos-key", KEY));
    try (Server server = Server.open(settings)) {
      String text = new Ready(server, settings).text();
      assertThat(text)
          .contains("mongodb://127.0.0.1:", "AccountEndpoint=https://127.0.0.1:", "(yours)")
          .contains("none: no other machine can log in")
          .contains("TLS       off for MongoDB: passwords and data are sent unencrypted")
          .doesNotContain("0.0.0.0", "0:0:0:0", KEY);
      assertThat(server.operatorUrl().orElseThrow()).startsWith("http://127.0.0.1:");
    }
  }

  @Test
  void onLoopbackThereAreNoWarnings() {
    ServerSettings settings = settings(Map.of("in-memory", "true"));
    try (Server server = Server.open(settings)) {
      assertThat(new Ready(server, settings).text())
          .contains(MasterKey.WELL_KNOWN)
          .doesNotContain("Users ", "TLS ", "Network ");
    }
  }

  @Test
  void authAlwaysStoresARandomKey(@TempDir Path directory) throws IOException {
    Path data = directory.resolve("data");
    ServerSettings settings = settings(Map.of("data", data.toString(), "auth", "always"));
    String key;
    try (Server server = Server.open(settings)) {
      assertThat(new Ready(server, settings).text())
          .contains("AccountKey=(in " + OwnKey.file(data) + ");")
          .doesNotContain(MasterKey.WELL_KNOWN);
      key = OwnKey.of(data).orElseThrow();
      assertThat(Base64.getDecoder().decode(key)).hasSize(64);
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(OwnKey.file(data))))
          .isEqualTo("rw-------");
      String url = server.operatorUrl().orElseThrow();
      assertThat(CommandLineRun.of("users", "list", "--server", url).err())
          .contains("The master key is required");
      assertThat(
              CommandLineRun.of("users", "list", "--server", url, "--key", MasterKey.WELL_KNOWN)
                  .err())
          .contains("not the master key");
      assertThat(
              CommandLineRun.of("users", "list", "--server", url, "--data", data.toString()).exit())
          .isZero();
    }
    try (Server again = Server.open(settings)) {
      assertThat(again.cosmos()).isPresent();
      assertThat(OwnKey.of(data)).hasValue(key);
    }
  }

  @Test
  void inMemoryTheRandomKeyIsPrinted() {
    ServerSettings settings = settings(Map.of("in-memory", "true", "auth", "always"));
    String first;
    try (Server server = Server.open(settings)) {
      first = server.key();
      assertThat(Base64.getDecoder().decode(first)).hasSize(64);
      assertThat(new Ready(server, settings).text()).contains("AccountKey=" + first + ";");
      assertThat(new Ready(server, settings).json()).contains("AccountKey=" + first + ";");
      String url = server.operatorUrl().orElseThrow();
      assertThat(
              CommandLineRun.of("users", "list", "--server", url, "--key", MasterKey.WELL_KNOWN)
                  .err())
          .contains("not the master key");
      assertThat(CommandLineRun.of("users", "list", "--server", url, "--key", first).exit())
          .isZero();
    }
    try (Server again = Server.open(settings)) {
      assertThat(again.key()).isNotEqualTo(first);
    }
  }

  @Test
  void theRandomKeyIsPrintedForTheAdminPort() {
    ServerSettings settings =
        settings(
            Map.of("in-memory", "true", "auth", "always", "cosmos-port", "off", "admin-port", "0"));
    try (Server server = Server.open(settings)) {
      assertThat(new Ready(server, settings).text()).contains("(key: " + server.key() + ")");
      assertThat(new Ready(server, settings).json()).contains(server.key());
    }
  }
}
