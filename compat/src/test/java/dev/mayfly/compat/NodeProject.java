package dev.mayfly.compat;

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
import java.util.stream.Stream;

/** Node programs and the packages that they need, installed once in the directory of the build. */
final class NodeProject {
  /** The installed project. */
  static final Path DIRECTORY = Path.of("target", "node");

  /** The shell, in the directory. */
  static final Path MONGOSH = Path.of("node_modules", ".bin", "mongosh");

  private static final Path SOURCES = Path.of("node");
  private static final Path INSTALLED = DIRECTORY.resolve("installed.sha256");
  private static final int MIN_VERSION = 20;

  private NodeProject() {}

  /** Installs the packages; skips the test without Node, or fails it with {@code CI=true}. */
  static void install() throws IOException, InterruptedException {
    if (nodeVersion() < MIN_VERSION) {
      if ("true".equals(System.getenv("CI"))) {
        throw new IllegalStateException("Node " + MIN_VERSION + " or later is required");
      }
      abort("no Node " + MIN_VERSION + " or later: Node programs are not tested");
    }
    Files.createDirectories(DIRECTORY);
    for (Path source : sources("")) {
      Files.copy(
          source, DIRECTORY.resolve(source.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    String lock = hash(SOURCES.resolve("package-lock.json"));
    if (Files.exists(INSTALLED) && Files.readString(INSTALLED).equals(lock)) {
      return;
    }
    Program.Outcome outcome =
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
      Files.createDirectories(DIRECTORY);
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

  static List<Path> sources(String ending) throws IOException {
    try (Stream<Path> files = Files.list(SOURCES)) {
      return files
          .filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(ending))
          .sorted()
          .toList();
    }
  }

  /** Runs a program in the directory of the project. */
  static Program.Outcome run(long seconds, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    return Program.run(DIRECTORY, seconds, environment, command);
  }
}
