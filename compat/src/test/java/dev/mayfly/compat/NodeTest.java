package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
  private static final Path SOURCES = Path.of("node");
  private static final Path PROJECT = Path.of("target", "node");
  private static final Path INSTALLED = PROJECT.resolve("installed.sha256");
  private static final int MIN_VERSION = 20;
  private static final Pattern EXAMPLE = Pattern.compile("```js\\n(.*?)```", Pattern.DOTALL);

  @AutoClose private static final ServerProcess TEST_CLOCK = ServerProcess.inMemory("--test-clock");
  @AutoClose private static final ServerProcess SYSTEM_CLOCK = ServerProcess.inMemory();

  @BeforeAll
  static void install() throws IOException, InterruptedException {
    if (nodeVersion() < MIN_VERSION) {
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException("Node " + MIN_VERSION + " or later is required");
      }
      abort("no Node " + MIN_VERSION + " or later: Node programs are not tested");
    }
    Files.createDirectories(PROJECT);
    for (Path source : sources("")) {
      Files.copy(
          source, PROJECT.resolve(source.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    String lock = hash(SOURCES.resolve("package-lock.json"));
    if (Files.exists(INSTALLED) && Files.readString(INSTALLED).equals(lock)) {
      return;
    }
    Outcome outcome =
        run(
            600,
            Map.of(),
            "npm",
            "ci",
            "--ignore-scripts",
            "--omit=optional",
            "--no-audit",
            "--no-fund");
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    Files.writeString(INSTALLED, lock);
  }

  /** The major version, or 0 without Node. */
  private static int nodeVersion() throws InterruptedException {
    try {
      Files.createDirectories(PROJECT);
      String version = run(60, Map.of(), "node", "--version").output().strip();
      return Integer.parseInt(version.substring(1, version.indexOf('.')));
    } catch (IOException missing) {
      return 0;
    }
  }

  private static String hash(Path file) throws IOException {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static List<Path> sources(String ending) throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }

  static List<String> programs() throws IOException {
    return sources(".test.mjs").stream().map(file -> file.getFileName().toString()).toList();
  }

  @ParameterizedTest
  @MethodSource("programs")
  void nodeProgramsPass(String program) throws IOException, InterruptedException {
    Outcome outcome =
        run(
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
    Files.writeString(PROJECT.resolve("readme.js"), example.group(1) + check);
    assertThat(shell("readme.js")).contains("left: 0");
  }

  /** Output of the shell for a script. */
  private static String shell(String script) throws IOException, InterruptedException {
    Path home = Files.createDirectories(PROJECT.resolve("home"));
    Outcome outcome =
        run(
            120,
            Map.of("HOME", home.toAbsolutePath().toString()),
            Path.of("node_modules", ".bin", "mongosh").toString(),
            "--quiet",
            "--norc",
            SYSTEM_CLOCK.uri(),
            script);
    assertThat(outcome.exit()).as(outcome.output()).isZero();
    return outcome.output();
  }

  /** Exit code and output of a program. */
  private record Outcome(int exit, String output) {}

  private static Outcome run(long seconds, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile(PROJECT, "output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(PROJECT.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().putAll(environment);
    try {
      Process process = builder.start();
      boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().waitFor();
      String printed = Files.readString(output, UTF_8);
      return new Outcome(
          ended ? process.exitValue() : -1,
          ended ? printed : printed + "\nstopped after the time limit");
    } finally {
      Files.delete(output);
    }
  }
}
