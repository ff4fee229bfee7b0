package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Runs the examples in {@code docs/start}, which print 1 and then 0, against an emulator. They are
 * run as they are, except for the ports.
 */
final class StartPagesTest {
  private static final Path PYTHON_PACKAGES = Path.of("target", "python").toAbsolutePath();

  /** A slow machine may take longer for two lines than their document lives. */
  private static final int ATTEMPTS = 3;

  @AutoClose private static final ServerProcess SERVER = ServerProcess.emulator();

  @TempDir Path directory;

  /** Runs a program that is in a file. */
  private interface Run {
    Program.Outcome file(Path file) throws IOException, InterruptedException;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void nodeExamplesRun(int index) throws IOException, InterruptedException {
    NodeProject.install();
    TestPackages.installNodePackage();
    Map<String, String> environment = TestPackages.withJar(directory);
    Path file = NodeProject.DIRECTORY.resolve("start" + index + ".mjs");
    Files.writeString(file, example("node.md", "js", 3, index));
    check(file, run -> NodeProject.run(120, environment, "node", run.getFileName().toString()));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void pythonExamplesRun(int index) throws IOException, InterruptedException {
    String path =
        Stream.of(
                PYTHON_PACKAGES.toString(),
                TestPackages.PYTHON.toAbsolutePath().normalize().toString(),
                System.getenv("PYTHONPATH"),
                System.getenv("PYTHON_COSMOS4"))
            .filter(Objects::nonNull)
            .collect(Collectors.joining(File.pathSeparator));
    if (index == 1) {
      installPythonPackage("azure-cosmos", "from azure.cosmos import CosmosClient", path);
    } else {
      installPythonPackage("pymongo", "import pymongo", path);
    }
    Map<String, String> command = TestPackages.withCommand(directory);
    Path file = directory.resolve("start.py");
    Files.writeString(file, example("python.md", "python", 3, index));
    check(
        file,
        run ->
            Program.run(
                directory,
                120,
                Map.of("PYTHONPATH", path, "PATH", command.getOrDefault("PATH", "")),
                "python3",
                "-B",
                run.toString()));
  }

  /** Installs a package unless there is one; skips the test if that is not possible. */
  private void installPythonPackage(String name, String use, String path)
      throws IOException, InterruptedException {
    if (python(path, "-c", use)) {
      return;
    }
    String target = PYTHON_PACKAGES.toString();
    if (!python(
        path, "-m", "pip", "install", "--quiet", "--retries", "1", "--target", target, name)) {
      abort("no python3 with " + name + ": an example of docs/start/python.md is not run");
    }
  }

  /** Whether a Python program succeeds; false without Python. */
  private boolean python(String path, String... arguments) throws InterruptedException {
    String[] command =
        Stream.concat(Stream.of("python3"), Stream.of(arguments)).toArray(String[]::new);
    try {
      return Program.run(directory, 300, Map.of("PYTHONPATH", path), command).exit() == 0;
    } catch (IOException missing) {
      return false;
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void javaExamplesRun(int index) throws IOException, InterruptedException {
    Path file = directory.resolve("Start.java");
    Files.writeString(file, example("java.md", "java", 2, index));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    check(
        file,
        run ->
            Program.run(
                directory,
                120,
                Map.of(),
                java,
                "-Xmx300m",
                "-cp",
                System.getProperty("java.class.path"),
                run.toString()));
  }

  /** Returns one of the examples of a page, with the ports of the server. */
  private static String example(String page, String language, int examples, int index)
      throws IOException {
    Pattern block = Pattern.compile("```" + language + "\n(.*?)```", Pattern.DOTALL);
    String text = Files.readString(Path.of("..", "docs", "start", page));
    List<MatchResult> blocks = block.matcher(text).results().toList();
    assertThat(blocks).hasSize(examples);
    String plain = SERVER.cosmosEndpoint().replace("https:", "http:").replaceFirst("/$", "");
    return blocks
        .get(index)
        .group(1)
        .replace("127.0.0.1:27017", "127.0.0.1:" + SERVER.port())
        .replace("http://127.0.0.1:8081", plain);
  }

  private static void check(Path file, Run run) throws IOException, InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Program.Outcome outcome = run.file(file);
      assertThat(outcome.exit()).as(outcome.output()).isZero();
      List<String> counts = outcome.output().lines().filter(line -> line.matches("\\d+")).toList();
      if (!counts.equals(List.of("0", "0")) || attempt == ATTEMPTS) {
        assertThat(counts).as(outcome.output()).containsExactly("1", "0");
        return;
      }
    }
  }
}
