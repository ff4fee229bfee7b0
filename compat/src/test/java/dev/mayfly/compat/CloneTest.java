package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Steps of a new user: copies the sources to an empty directory, runs the commands and examples of
 * the README, stops the server, and restores the backup. Builds the program without its tests.
 */
final class CloneTest {
  private static final Pattern COMMANDS =
      Pattern.compile("```\n(\\./mayfly .*?)```", Pattern.DOTALL);
  private static final Set<String> NOT_CLONED =
      Set.of("target", ".git", "mayfly-data", "node_modules");
  private static final long BUILD_SECONDS = 900;
  private static final long COMMAND_SECONDS = 120;
  private static final String BACKUP = "/tmp/monday";

  /** Uses free ports instead of the default ones, which may be in use. */
  private static final Map<String, String> PORTS =
      Map.of("MAYFLY_MONGO_PORT", "0", "MAYFLY_COSMOS_PORT", "0");

  @TempDir private Path clone;

  @Test
  void commandsOfTheReadmeWorkFromAFreshClone() throws Exception {
    copy(Path.of("..").toRealPath());
    List<String> blocks = commands();
    assertThat(blocks.getFirst()).isEqualTo("./mayfly serve\n");
    Path backup = clone.resolve("monday");

    try (ServerProcess server = serve(blocks.getFirst().strip())) {
      mongoExample(server);
      ReadmeTest.example(server.cosmosEndpoint(), server.cosmosKey());
      for (String command : blocks.get(1).replace(BACKUP, backup.toString()).lines().toList()) {
        assertThat(run(command)).as(command).isNotEmpty();
      }
      assertThat(run("./mayfly collections")).contains("test", "sessions", "cosmos:shop", "carts");
    }

    run("./mayfly restore " + backup + " --data restored --stop-clock");
    assertThat(run("./mayfly collections --data restored")).contains("sessions", "carts");
  }

  private void copy(Path sources) throws IOException {
    Files.walkFileTree(
        sources,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            if (NOT_CLONED.contains(directory.getFileName().toString())) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            Files.createDirectories(clone.resolve(sources.relativize(directory)));
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.copy(
                file, clone.resolve(sources.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private List<String> commands() throws IOException {
    Matcher blocks = COMMANDS.matcher(Files.readString(clone.resolve("README.md")));
    return blocks.results().map(block -> block.group(1)).toList();
  }

  private ServerProcess serve(String command) {
    return ServerProcess.launched(builder(command), BUILD_SECONDS);
  }

  private ProcessBuilder builder(String command) {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", "exec " + command).directory(clone.toFile());
    builder.environment().putAll(PORTS);
    return builder;
  }

  /** The shell example of the README, with the driver; another test runs the shell. */
  private static void mongoExample(ServerProcess server) {
    try (MongoClient client = server.client()) {
      MongoCollection<Document> sessions = client.getDatabase("test").getCollection("sessions");
      sessions.createIndex(
          new Document("createdAt", 1), new IndexOptions().expireAfter(3L, TimeUnit.SECONDS));
      sessions.insertOne(new Document("user", "ada").append("createdAt", now(client)));
      assertThat(sessions.countDocuments()).isEqualTo(1);
      Eventually.holds("the document of ada has expired", () -> sessions.countDocuments() == 0);
    }
  }

  private static Instant now(MongoClient client) {
    Document hello = client.getDatabase("admin").runCommand(new Document("hello", 1));
    return hello.getDate("localTime").toInstant();
  }

  private String run(String command) throws IOException, InterruptedException {
    Path output = clone.resolve("output.txt");
    Process process =
        builder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
    boolean ended = process.waitFor(COMMAND_SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    String printed = Files.readString(output, UTF_8);
    assertThat(ended).as(command + ": " + printed).isTrue();
    assertThat(process.exitValue()).as(command + ": " + printed).isZero();
    return printed;
  }
}
