package dev.mayfly.compat;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs other programs to their end. */
final class Program {
  private Program() {}

  /** Exit code and output of a program. */
  record Outcome(int exit, String output) {}

  /**
   * Runs a program, and kills it and all that it started after a time limit.
   *
   * @param environment variables in addition to those of this process
   */
  static Outcome run(
      Path directory, long seconds, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path output = Files.createTempFile("output", ".txt");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
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
