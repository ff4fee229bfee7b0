package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.mayfly.admin.seed.Seed;
import dev.mayfly.admin.seed.SeedException;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Seeds: {@code serve --seed} and {@code export --definitions}. */
final class SeedTest {
  @TempDir Path directory;

  private Path write(String file, String text) throws IOException {
    Path path = directory.resolve("seed").resolve(file);
    Files.createDirectories(path.getParent());
    return Files.writeString(path, text);
  }

  private void writeSeed() throws IOException {
    write(
        "mongo/web/sessions.json",
        """
        {"options": {"validator": {"user": {"$type": "string"}}},
         "indexes": [{"key": {"at": 1}, "name": "at_1", "expireAfterSeconds": 1800},
                     {"key": {"user": 1, "at": -1}, "name": "byUser", "unique": true}]}
        """);
    write(
        "mongo/web/sessions.jsonl",
        """
        {"_id": 1, "user": "ada", "at": {"$date": "2099-01-01T00:00:00Z"}}

        {"_id": 2, "user": "bob", "at": {"$date": "2099-01-01T00:00:01Z"}}
        """);
    write("mongo/web/active.json", "{\"options\": {\"viewOn\": \"sessions\", \"pipeline\": []}}");
    write("mongo/web/a%2Fb.jsonl", "{\"plain\": true}\n");
    write(
        "cosmos/shop/carts.json",
        """
        {"partitionKey": {"paths": ["/customer"], "kind": "Hash", "version": 2},
         "defaultTtl": 3600,
         "uniqueKeyPolicy": {"uniqueKeys": [{"paths": ["/number"]}]},
         "indexingPolicy": {"indexingMode": "consistent", "automatic": true,
           "includedPaths": [{"path": "/*"}], "excludedPaths": [{"path": "/text/?"}]}}
        """);
    write(
        "cosmos/shop/carts.jsonl",
        """
        {"id": "1", "customer": "ada", "number": 1}
        {"id": "2", "customer": "bob", "number": 2, "ttl": -1}
        """);
  }

  private ServerSettings seeded() {
    return ServerSettings.inMemory().withSeed(directory.resolve("seed"));
  }

  private static String url(Server server) {
    return server.operatorUrl().orElseThrow();
  }

  private Map<String, String> export(String name, String... target) throws IOException {
    Path exported = directory.resolve(name);
    List<String> arguments =
        Stream.concat(
                Stream.of("export", "--definitions", exported.toString(), "--with-documents"),
                Stream.of(target))
            .toList();
    CommandLineRun run = CommandLineRun.of(arguments.toArray(String[]::new));
    assertThat(run.exit()).as(run.err()).isZero();
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(exported)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        files.put(exported.relativize(file).toString(), Files.readString(file));
      }
    }
    return files;
  }

  @Test
  void definitionsAndDocumentsOfBothKindsAreApplied() throws IOException {
    writeSeed();
    try (Server server = Server.open(seeded());
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      var sessions = client.getDatabase("web").getCollection("sessions");
      assertThat(sessions.countDocuments()).isEqualTo(2);
      assertThat(client.getDatabase("web").getCollection("active").countDocuments()).isEqualTo(2);
      assertThat(client.getDatabase("web").getCollection("a/b").countDocuments()).isEqualTo(1);
      assertThat(sessions.listIndexes())
          .extracting(index -> index.getString("name"))
          .containsExactlyInAnyOrder("_id_", "at_1", "byUser");
      assertThat(
              CommandLineRun.of("ttl", "show", "cosmos:shop.carts", "--server", url(server)).out())
          .contains("1h");
    }
  }

  @Test
  void anExportIsASeedThatMakesTheSameServer() throws IOException {
    writeSeed();
    Map<String, String> first;
    try (Server server = Server.open(seeded())) {
      first = export("first", "--server", url(server));
    }
    assertThat(first.keySet())
        .containsExactly(
            "cosmos/shop/carts.json",
            "cosmos/shop/carts.jsonl",
            "mongo/web/a%2Fb.json",
            "mongo/web/a%2Fb.jsonl",
            "mongo/web/active.json",
            "mongo/web/sessions.json",
            "mongo/web/sessions.jsonl");
    ServerSettings again = ServerSettings.inMemory().withSeed(directory.resolve("first"));
    try (Server server = Server.open(again)) {
      assertThat(export("second", "--server", url(server))).isEqualTo(first);
    }
  }

  @Test
  void rulesOfTheCommandLineAreExported() throws IOException {
    write("mongo/web/a.jsonl", "");
    write("mongo/web/b.jsonl", "");
    write(
        "mongo/web/c.json",
        "{\"indexes\": [{\"key\": {\"_ts\": 1}, \"name\": \"ts\", \"expireAfterSeconds\": 60}]}");
    Map<String, String> first;
    try (Server server = Server.open(seeded())) {
      for (String rule :
          List.of(
              "web.a --after 30m --sliding --slack 10s",
              "web.b --property times.end --after 1h --format iso8601 --grace 1d")) {
        List<String> words = new ArrayList<>(List.of("ttl", "set"));
        words.addAll(List.of(rule.split(" ")));
        words.addAll(List.of("--server", url(server)));
        CommandLineRun set = CommandLineRun.of(words.toArray(String[]::new));
        assertThat(set.exit()).as(set.err()).isZero();
      }
      first = export("first", "--server", url(server));
    }
    assertThat(first.get("mongo/web/a.json"))
        .contains("\"rules\":{\"default\":1800,\"sliding\":{\"default\":{\"slackSeconds\":10,");
    assertThat(first.get("mongo/web/b.json"))
        .contains("{\"default\":3600,\"property\":\"times.end\",\"propertyFormat\":\"iso8601\"}");
    assertThat(first.get("mongo/web/c.json")).doesNotContain("rules");
    ServerSettings again = ServerSettings.inMemory().withSeed(directory.resolve("first"));
    try (Server server = Server.open(again)) {
      assertThat(export("second", "--server", url(server))).isEqualTo(first);
    }
  }

  @Test
  void targetsOfActionsAreCreatedBeforeThoseThatNameThem() throws IOException {
    write("mongo/web/a.json", "{\"options\": {\"mayflyOnExpire\": {\"moveTo\": \"web.b\"}}}");
    write(
        "mongo/web/b.json",
        "{\"options\": {\"mayflyOnExpire\": {\"moveTo\": \"cosmos:shop.past\"}}}");
    write("mongo/web/all.json", "{\"options\": {\"viewOn\": \"live\", \"pipeline\": []}}");
    write("mongo/web/live.json", "{\"options\": {\"viewOn\": \"a\", \"pipeline\": []}}");
    String key = "{\"partitionKey\": {\"paths\": [\"/pk\"], \"kind\": \"Hash\"}";
    write(
        "cosmos/shop/carts.json",
        key + ", \"defaultTtl\": 60, \"mayfly\": {\"onExpire\": {\"moveTo\": \"web.a\"}}}");
    write("cosmos/shop/past.json", key + "}");
    Map<String, String> first;
    try (Server server = Server.open(seeded())) {
      first = export("first", "--server", url(server));
    }
    assertThat(first).containsKeys("mongo/web/a.json", "mongo/web/all.json");
    assertThat(first.get("mongo/web/b.json")).contains("cosmos:shop.past");
    assertThat(first.get("cosmos/shop/carts.json")).contains("web.a");
    ServerSettings again = ServerSettings.inMemory().withSeed(directory.resolve("first"));
    try (Server server = Server.open(again)) {
      assertThat(export("second", "--server", url(server))).isEqualTo(first);
    }
  }

  @Test
  void parentsAreCreatedBeforeTheCollectionsThatExpireWithThem() throws IOException {
    write(
        "mongo/web/chunks.json",
        "{\"options\": {\"mayflyExpiresWith\": "
            + "{\"collection\": \"files\", \"field\": \"file\"}}}");
    write("mongo/web/files.json", "{}");
    String key = "{\"partitionKey\": {\"paths\": [\"/pk\"], \"kind\": \"Hash\"}";
    write(
        "cosmos/shop/lines.json",
        key
            + ", \"mayfly\": {\"expiresWith\": "
            + "{\"container\": \"orders\", \"property\": \"/order\"}}}");
    write("cosmos/shop/orders.json", key + "}");
    Map<String, String> first;
    try (Server server = Server.open(seeded())) {
      first = export("first", "--server", url(server));
    }
    assertThat(first.get("mongo/web/chunks.json")).contains("\"collection\":\"files\"");
    assertThat(first.get("cosmos/shop/lines.json")).contains("\"container\":\"orders\"");
    ServerSettings again = ServerSettings.inMemory().withSeed(directory.resolve("first"));
    try (Server server = Server.open(again)) {
      assertThat(export("second", "--server", url(server))).isEqualTo(first);
    }
  }

  @Test
  void actionsThatLeadBackAreRefused() throws IOException {
    write("mongo/web/a.json", "{\"options\": {\"mayflyOnExpire\": {\"moveTo\": \"web.b\"}}}");
    write("mongo/web/b.json", "{\"options\": {\"mayflyOnExpire\": {\"moveTo\": \"web.a\"}}}");
    assertThatThrownBy(() -> Server.open(seeded()))
        .isInstanceOf(SeedException.class)
        .hasMessageContainingAll(".json is refused", "does not exist");
  }

  @Test
  void aSeedIsAppliedOnceToADirectoryAndExportedOffline() throws IOException {
    writeSeed();
    Path data = directory.resolve("data");
    ServerSettings settings = seeded().withData(data);
    Map<String, String> running;
    try (Server server = Server.open(settings);
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      client.getDatabase("web").getCollection("sessions").deleteOne(new Document("_id", 1));
      running = export("running", "--server", url(server));
    }
    try (Server server = Server.open(settings);
        MongoClient client = MongoClients.create(server.mongo().connectionString())) {
      assertThat(client.getDatabase("web").getCollection("sessions").countDocuments()).isEqualTo(1);
    }
    assertThat(export("offline", "--data", data.toString())).isEqualTo(running);
  }

  @Test
  void aSeedThatIsRefusedLeavesNothing() throws IOException {
    writeSeed();
    Path data = directory.resolve("data");
    Path wrong = write("mongo/web/zz.jsonl", "{\"_id\": 1}\n{\"_id\": 1}\n");
    assertThatThrownBy(() -> Server.open(seeded().withData(data)))
        .isInstanceOf(SeedException.class)
        .hasMessageContainingAll("zz.jsonl is refused", "duplicate key");
    Files.delete(wrong);
    try (Server server = Server.open(ServerSettings.inMemory().withData(data))) {
      assertThat(Seed.isEmpty(server.mayfly().engine())).isTrue();
    }
    try (Server server = Server.open(seeded().withData(data))) {
      assertThat(Seed.isEmpty(server.mayfly().engine())).isFalse();
    }
  }

  @Test
  void errorsNameTheFile() throws IOException {
    assertRefused("There is no seed directory", "mongo", "");
    assertRefused("line 2 is not valid JSON", "mongo/web/a.jsonl", "{\"_id\": 1}\n{oops\n");
    assertRefused(
        "a.json is refused",
        "mongo/web/a.json",
        "{\"indexes\": [{\"key\": {\"a\": \"wrong\"}, \"name\": \"x\"}]}");
    assertRefused("'indexs' is unknown; use options", "mongo/web/a.json", "{\"indexs\": []}");
    assertRefused("a.json is refused", "mongo/web/a.json", "{\"rules\": {\"default\": -5}}");
    assertRefused("'rules' must be an object", "mongo/web/a.json", "{\"rules\": [60]}");
    assertRefused("a.json is refused", "cosmos/shop/a.json", "{\"defaultTtl\": -5}");
    assertRefused("needs its partitionKey", "cosmos/shop/a.jsonl", "{\"id\": \"1\"}");
    assertRefused("is not part of a seed", "notes.txt", "x");
  }

  /** Opens a server with a seed of one file; without a seed if the text is empty. */
  private void assertRefused(String reason, String file, String text) throws IOException {
    Path written = text.isEmpty() ? directory.resolve("none") : write(file, text);
    assertThatThrownBy(() -> Server.open(seeded()))
        .isInstanceOf(SeedException.class)
        .hasMessageContaining(reason);
    if (Files.exists(written)) {
      Files.delete(written);
      Path parent = written.getParent();
      while (parent != null && !parent.equals(directory.resolve("seed"))) {
        Files.delete(parent);
        parent = parent.getParent();
      }
    }
  }
}
