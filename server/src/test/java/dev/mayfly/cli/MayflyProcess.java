package dev.mayfly.cli;

import dev.mayfly.value.Document;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Limits;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A server in a process of its own, which tests can stop in the middle of its work. */
final class MayflyProcess implements AutoCloseable {
  private final Process process;
  private final Document ready;

  private MayflyProcess(Process process, Document ready) {
    this.process = process;
    this.ready = ready;
  }

  /** Starts a server on free ports, and waits until it is ready. */
  static MayflyProcess start(String... options) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Xmx384m",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                Serve.NAME,
                "--json",
                "--mongo-port=0",
                "--cosmos-port=0"));
    command.addAll(List.of(options));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
    String line = out.readLine();
    while (line != null && !line.startsWith("{\"version\"")) {
      line = out.readLine();
    }
    if (line == null) {
      throw new IOException("the server has not started: see its messages");
    }
    return new MayflyProcess(
        process, ExtendedJson.parse(line.getBytes(StandardCharsets.UTF_8), Limits.MONGO));
  }

  /** Connection string for MongoDB drivers. */
  String mongo() {
    return ready.field("mongo").asString();
  }

  /** URL of the admin API and, without TLS, of the Cosmos door. */
  String url() {
    return ready.field("operator").asString();
  }

  /** Sends a signal, such as STOP, CONT or KILL. */
  void signal(String name) throws IOException, InterruptedException {
    int exit =
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
    if (exit != 0) {
      throw new IOException("kill -" + name + " has failed");
    }
  }

  /** Lets it stop as with SIGTERM, and waits until it has ended. */
  void stop() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
