package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Arguments with which the launcher starts Java: a fake Java prints them, one per line. */
final class LauncherTest {
  @TempDir private Path home;

  @BeforeEach
  void createDistributionWithFakeJava() throws IOException {
    Files.copy(Path.of("../mayfly"), home.resolve("mayfly"));
    Files.createFile(home.resolve("mayfly.jar"));
    Files.createDirectories(home.resolve("jdk/bin"));
    Files.writeString(home.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
    Files.writeString(home.resolve("jdk/bin/java"), "#!/bin/sh\nprintf '%s\\n' \"$@\"\n");
    for (String program : List.of("mayfly", "jdk/bin/java")) {
      Files.setPosixFilePermissions(
          home.resolve(program), PosixFilePermissions.fromString("rwxr-xr-x"));
    }
  }

  private List<String> arguments(Map<String, String> environment, String... options)
      throws Exception {
    List<String> command =
        Stream.concat(Stream.of(home.resolve("mayfly").toString()), Stream.of(options)).toList();
    ProcessBuilder builder = new ProcessBuilder(command).directory(home.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("MAYFLY_"));
    builder.environment().put("JAVA_HOME", home.resolve("jdk").toString());
    builder.environment().putAll(environment);
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertThat(process.waitFor()).isZero();
    return lines;
  }

  @Test
  void heapIsThreeEighthsOfTheMemorySetting() throws Exception {
    assertThat(arguments(Map.of(), "serve", "--memory", "2g"))
        .contains("-Xmx768m", "-XX:MaxDirectMemorySize=256m")
        .endsWith("serve", "--memory", "2g");
    assertThat(arguments(Map.of(), "serve", "--memory=512m")).contains("-Xmx192m");
    assertThat(arguments(Map.of("MAYFLY_MEMORY", "1G"), "serve")).contains("-Xmx384m");
  }

  @Test
  void optionAndEnvironmentOverrideTheFile() throws Exception {
    Files.writeString(home.resolve("mayfly.yaml"), "bind: 127.0.0.1\nmemory: 4g # large\n");
    Files.writeString(home.resolve("other.yaml"), "memory: \"8g\"\n");

    assertThat(arguments(Map.of(), "serve")).contains("-Xmx1536m");
    assertThat(arguments(Map.of(), "serve", "--config", "other.yaml")).contains("-Xmx3072m");
    assertThat(arguments(Map.of("MAYFLY_MEMORY", "1g"), "serve")).contains("-Xmx384m");
    assertThat(arguments(Map.of("MAYFLY_MEMORY", "1g"), "serve", "--memory", "2g"))
        .contains("-Xmx768m");
  }

  @Test
  void defaultMemoryIsOneGigabyte() throws Exception {
    assertThat(arguments(Map.of(), "serve")).contains("-Xmx384m");
    assertThat(arguments(Map.of(), "serve", "--in-memory")).contains("-Xmx768m");
    assertThat(arguments(Map.of(), "serve", "--emulator")).contains("-Xmx768m");
    assertThat(arguments(Map.of("MAYFLY_EMULATOR", "true"), "serve")).contains("-Xmx768m");
    assertThat(arguments(Map.of(), "serve", "--emulator", "--data", "tests")).contains("-Xmx384m");
  }

  @Test
  void theRuntimeOfADistributionComesFirst() throws Exception {
    Path java = home.resolve("runtime/bin/java");
    Files.createDirectories(java.getParent());
    Files.writeString(home.resolve("runtime/release"), "JAVA_VERSION=\"25.0.3\"\n");
    Files.writeString(java, "#!/bin/sh\necho own runtime\n");
    Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));

    assertThat(arguments(Map.of(), "version")).containsExactly("own runtime");
  }

  @Test
  void javaOptionsOfTheUserComeLast() throws Exception {
    List<String> arguments =
        arguments(Map.of("MAYFLY_JAVA_OPTIONS", "-Xmx100m -Dx=y"), "serve", "--memory", "what");

    assertThat(arguments.indexOf("-Xmx100m")).isGreaterThan(arguments.indexOf("-Xmx384m"));
    assertThat(arguments).contains("-Dx=y", "what");
  }
}
