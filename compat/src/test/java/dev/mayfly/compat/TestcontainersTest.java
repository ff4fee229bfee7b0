package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The published modules of Testcontainers for Java, unmodified, with the entry point of the image
 * and local processes in place of containers.
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

  private String run() throws IOException, InterruptedException {
    String classes = System.getProperty("java.class.path");
    install(
        "mayfly",
        "exec "
            + JAVA
            + " --enable-native-access=ALL-UNNAMED -Xmx300m -XX:TieredStopAtLevel=1 -cp '"
            + classes
            + "' dev.mayfly.cli.Main \"$@\"");
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
      ProcessBuilder builder =
          new ProcessBuilder(JAVA, "-Xmx300m", "-cp", classes, ContainerProgram.class.getName())
              .redirectErrorStream(true);
      builder.environment().put("DOCKER_HOST", docker.host());
      builder.environment().put("TESTCONTAINERS_RYUK_DISABLED", "true");
      builder.environment().put("TESTCONTAINERS_HOST_OVERRIDE", "localhost");
      builder.environment().put("TESTCONTAINERS_CHECKS_DISABLE", "true");
      builder.environment().put("HOME", programs.toString());
      Process program = builder.start();
      try {
        String output = new String(program.getInputStream().readAllBytes(), UTF_8);
        assertThat(program.waitFor(120, TimeUnit.SECONDS)).as(output).isTrue();
        assertThat(program.exitValue()).as(output).isZero();
        return output;
      } finally {
        program.destroyForcibly();
      }
    }
  }

  @Test
  void theModulesStartEmulatorsWithAndWithoutAReplicaSet()
      throws IOException, InterruptedException {
    NodeProject.install();
    Path shell = NodeProject.DIRECTORY.resolve(NodeProject.MONGOSH).toAbsolutePath();
    install("mongosh", "exec " + shell + " --port \"$MAYFLY_MONGO_PORT\" \"$@\"");
    assertThat(run())
        .contains("mongo: 1 in set mayfly", "mongo: 1 in set docker-rs", "cosmos: shop");
  }
}
