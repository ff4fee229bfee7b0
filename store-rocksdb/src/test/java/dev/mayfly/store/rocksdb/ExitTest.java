package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExitTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"after", "during"})
  void aProcessExitsAfterOrDuringACompactionThatAskedJava(String when) throws Exception {
    Process process = start(when);
    boolean exited = process.waitFor(60, TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();

    assertThat(exited).isTrue();
    assertThat(process.exitValue()).isEqualTo(7);
  }

  @Test
  void processesThatAreKilledLeaveOneLibraryBehindAndNoneInTheTemporaryDirectory(
      @TempDir Path temporary, @TempDir Path home) throws Exception {
    for (int i = 0; i < 2; i++) {
      Process process = start("killed", "-Djava.io.tmpdir=" + temporary, "-Duser.home=" + home);
      assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
      assertThat(process.exitValue()).isEqualTo(7);
    }
    assertThat(libraries(temporary)).isEmpty();
    assertThat(libraries(home)).hasSize(1);
  }

  private static List<Path> libraries(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      return files.filter(file -> file.getFileName().toString().contains("rocksdbjni")).toList();
    }
  }

  private Process start(String when, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.addAll(List.of(options));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(ExitingProcess.class.getName(), directory.toString(), when));
    return new ProcessBuilder(command).inheritIO().start();
  }
}
