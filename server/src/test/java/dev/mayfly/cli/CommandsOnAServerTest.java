package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Engine;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands use a running server over HTTP. */
final class CommandsOnAServerTest extends CommandsContract {
  @TempDir private Path data;

  private Server server = Server.open(ServerSettings.inMemory().withoutCosmos());

  @BeforeEach
  void start() {
    server.close();
    server = Server.open(ServerSettings.inMemory().withData(data));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String url() {
    return server.cosmos().orElseThrow().endpoint().replace("https:", "http:");
  }

  @Override
  protected List<String> target() {
    return List.of("--server", url());
  }

  @Override
  protected void prepare(Consumer<Engine> step) {
    step.accept(server.mayfly().engine());
  }

  @Test
  void aServerIsFoundByItsDirectory() throws Exception {
    Target.writeAddress(data, url());
    assertThat(CommandLineRun.of("collections", "--data", data.toString()).exit()).isZero();
    Target.removeAddress(data);
    CommandLineRun lost = CommandLineRun.of("collections", "--data", data.toString());
    assertThat(lost.exit()).isEqualTo(1);
    assertThat(lost.err()).contains("does not answer");
  }

  @Test
  void aDirectoryInUseIsNotChecked() {
    CommandLineRun run = CommandLineRun.of("check", "--data", data.toString());
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("stop it first");
  }

  @Test
  void anUnreachableServerIsReported() {
    String url = url();
    server.close();
    CommandLineRun run = CommandLineRun.of("collections", "--server", url);
    assertThat(run.exit()).isEqualTo(1);
    assertThat(run.err()).contains("No server answers at");
  }
}
