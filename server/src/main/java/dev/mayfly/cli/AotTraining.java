package dev.mayfly.cli;

import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;

/** Opens and closes a server, for the launcher to have Java note what that takes. */
@Command(name = "rehearse", hidden = true, description = "Open a server and close it again.")
final class AotTraining implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    Path scratch = Files.createTempDirectory("mayfly-rehearsal");
    try {
      // twice: what was there before is opened on another path than what is new
      Server.open(ServerSettings.inMemory().withData(scratch)).close();
      Server.open(ServerSettings.inMemory().withData(scratch)).close();
    } finally {
      remove(scratch);
    }
    return 0;
  }

  private static void remove(Path directory) {
    try (Stream<Path> walk = Files.walk(directory)) {
      List<Path> deepestFirst = walk.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (IOException failure) {
      throw new UncheckedIOException("cannot clean up " + directory, failure);
    }
  }
}
