package dev.mayfly.store.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
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

  private Process start(String when) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            ExitingProcess.class.getName(),
            directory.toString(),
            when)
        .inheritIO()
        .start();
  }
}
