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

/** Training run for the JVM's AOT cache: opens and closes a server. The launcher calls it. */
@Command(name = "aot-training", hidden = true, description = "Open a server and close it again.")
final class AotTraining implements Callable<Integer> {
  @Override
  public Integer call() throws IOException {
    Path directory = Files.createTempDirectory("mayfly-aot-training");
    try {
      // twice: opening an existing directory runs other code than creating one
      Server.open(ServerSettings.inMemory().withData(directory)).close();
      Server.open(ServerSettings.inMemory().withData(directory)).close();
    } finally {
      remove(directory);
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
