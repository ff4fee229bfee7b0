package dev.mayfly.engine.crash;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** A program in a JVM of its own that prints what it does, until a test kills it. */
final class KilledProcess implements AutoCloseable {
  private final Process process;
  private final BufferedReader lines;
  private final Consumer<String> note;

  private KilledProcess(Process process, Consumer<String> note) {
    this.process = process;
    this.lines = process.inputReader(UTF_8);
    this.note = note;
  }

  /**
   * Starts a program.
   *
   * @param note receives each line that it prints; the last one may be incomplete
   */
  static KilledProcess start(Consumer<String> note, Class<?> program, Object... arguments)
      throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                program.getName()));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    return new KilledProcess(new ProcessBuilder(command).redirectErrorStream(true).start(), note);
  }

  /** Reads a number of lines while it runs. */
  void read(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String line = lines.readLine();
      assertThat(line).as("the process came to an end by itself").isNotNull();
      take(line);
    }
  }

  /** Kills it and reads what it has printed until then. */
  void kill() throws IOException, InterruptedException {
    process.toHandle().destroyForcibly(); // unlike the process, it leaves the pipe open
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      take(line);
    }
    process.waitFor();
  }

  private void take(String line) {
    assertThat(line).as("the process complains").doesNotContain("SEVERE", "Exception");
    note.accept(line);
  }

  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    lines.close();
  }
}
