package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the programs in {@code node/}: official Node driver, Mongoose, connect-mongo, three
 * generations of SDKs for Azure Cosmos DB, and a mongosh script.
 *
 * <p>Needs Node 20 or later and npm. Without them the tests are skipped; with {@code CI=true} in
 * the environment they fail.
 */
final class NodeTest {
  private static final Pattern EXAMPLE = Pattern.compile("```js\\n(.*?)```", Pattern.DOTALL);

  @AutoClose private static final ServerProcess TEST_CLOCK = ServerProcess.inMemory("--test-clock");
  @AutoClose private static final ServerProcess SYSTEM_CLOCK = ServerProcess.inMemory();

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    NodeProject.install();
  }

  static List<String> programs() throws IOException {
    return NodeProject.sources(".test.mjs").stream()
        .map(file -> file.getFileName().toString())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void nodeProgramsPass(String program) throws IOException, InterruptedException {
    Program.Outcome outcome =
        NodeProject.run(
            120,
            Map.of(
                "MAYFLY_URI",
                TEST_CLOCK.uri(),
                "MAYFLY_REAL_CLOCK_URI",
                SYSTEM_CLOCK.uri(),
                "MAYFLY_COSMOS_ENDPOINT",
                TEST_CLOCK.cosmosEndpoint().replace("https:", "http:"),
                "MAYFLY_COSMOS_KEY",
                TEST_CLOCK.cosmosKey()),
            "node",
            "--test",
            program);
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    assertThat(outcome.output()).as("tests that ran").doesNotContain("pass 0");
  }

  @Test
  void mongoshScriptPasses() throws IOException, InterruptedException {
    assertThat(shell("mongosh.js")).contains("mongosh: all good");
  }

  @Test
  void mongoshRunsTheExampleOfTheReadme() throws IOException, InterruptedException {
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("../README.md")));
    assertThat(example.find()).isTrue();
    String check = "sleep(3100); print('left: ' + db.sessions.countDocuments());";
    Files.writeString(NodeProject.DIRECTORY.resolve("readme.js"), example.group(1) + check);
    assertThat(shell("readme.js")).contains("left: 0");
  }

  /** Output of the shell for a script. */
  private static String shell(String script) throws IOException, InterruptedException {
    Path home = Files.createDirectories(NodeProject.DIRECTORY.resolve("home"));
    Program.Outcome outcome =
        NodeProject.run(
            120,
            Map.of("HOME", home.toAbsolutePath().toString()),
            NodeProject.MONGOSH.toString(),
            "--quiet",
            "--norc",
            SYSTEM_CLOCK.uri(),
            script);
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    return outcome.output();
  }
}
