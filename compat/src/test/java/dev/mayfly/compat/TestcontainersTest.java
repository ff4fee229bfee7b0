package dev.mayfly.compat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The published modules of Testcontainers for Java and Node, unmodified, with the entry point of
 * the image and local processes in place of containers.
 */
final class TestcontainersTest {
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  @TempDir Path programs;

  /** Writes a program of the image, which is a script here. */
  private void install(String name, String script) throws IOException {
    Path file = Files.writeString(programs.resolve(name), "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** Runs a program that uses Testcontainers, and returns its output. */
  private String run(Path directory, String... command) throws IOException, InterruptedException {
    String classes = System.getProperty("java.class.path");
    install(
        "mayfly",
        "exec "
            + JAVA
            + " --enable-native-access=ALL-UNNAMED -Xmx300m -XX:TieredStopAtLevel=1 -cp '"
            + classes
            + "' dev.mayfly.cli.Main \"$@\"");
    Path shell = NodeProject.DIRECTORY.resolve(NodeProject.MONGOSH).toAbsolutePath();
    install("mongosh", "exec " + shell + " --port \"$MAYFLY_MONGO_PORT\" \"$@\"");
    Map<String, String> environment =
        Map.of(
            "PATH",
            programs + ":" + System.getenv("PATH"),
            "HOME",
            programs.toString(),
            "MAYFLY_HEALTH_PORT",
            "off");
    Map<Integer, String> ports = Map.of(27017, "MAYFLY_MONGO_PORT", 8081, "MAYFLY_COSMOS_PORT");
    try (LocalDocker docker =
        new LocalDocker(Path.of("..", "docker-entrypoint"), environment, ports)) {
      Program.Outcome outcome =
          Program.run(
              directory,
              240,
              Map.of(
                  "DOCKER_HOST",
                  docker.host(),
                  "TESTCONTAINERS_RYUK_DISABLED",
                  "true",
                  "TESTCONTAINERS_HOST_OVERRIDE",
                  "localhost",
                  "TESTCONTAINERS_CHECKS_DISABLE",
                  "true",
                  "HOME",
                  programs.toString()),
              command);
      assertThat(outcome.exit()).as(outcome.output()).isZero();
      return outcome.output();
    }
  }

  @Test
  void theModulesForJavaStartEmulatorsWithAndWithoutAReplicaSet()
      throws IOException, InterruptedException {
    NodeProject.install();
    String classes = System.getProperty("java.class.path");
    assertThat(run(programs, JAVA, "-Xmx300m", "-cp", classes, ContainerProgram.class.getName()))
        .contains("mongo: 1 in set mayfly", "mongo: 1 in set docker-rs", "cosmos: shop");
  }

  @Test
  void theModulesForNodeStartEmulatorsWithAndWithoutAUser()
      throws IOException, InterruptedException {
    NodeProject.install();
    assertThat(run(NodeProject.DIRECTORY, "node", "testcontainers.mjs"))
        .contains("generic: 1", "mongo: 1 in set rs0", "login: 1, refused: true", "cosmos: shop");
  }
}
