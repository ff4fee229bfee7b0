package dev.mayfly.cli;

import dev.mayfly.config.Settings;
import dev.mayfly.server.OwnKey;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.ValueException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select the server or data directory of a command. */
final class Target {
  private static final String NOTE = "server.json";
  private static final String USUAL = "http://127.0.0.1:8081";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory, whether or not a server has it open [mayfly-data].")
  private @Nullable Path data;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "URL of a server, such as " + USUAL + ".")
  private @Nullable String server;

  @Option(
      names = "--key",
      paramLabel = "SECRET",
      description =
          "Master key of the server, if it requires one; better set MAYFLY_COSMOS_KEY"
              + " in the environment.")
  private @Nullable String key;

  /** Writes the URL of a server to its data directory. */
  static void note(Path directory, String url) throws IOException {
    Document told =
        Document.writer().put("http", url).put("pid", ProcessHandle.current().pid()).build();
    Files.writeString(directory.resolve(NOTE), Json.write(told) + "\n");
  }

  static void removeNote(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(NOTE));
    } catch (IOException harmless) {
      // a stale note is harmless: readers check that the server answers
      System.getLogger(Target.class.getName()).log(System.Logger.Level.DEBUG, NOTE, harmless);
    }
  }

  /**
   * Opens the target.
   *
   * @param changes whether the command writes
   * @throws CommandFailure when there is neither a server nor a data directory
   */
  CommandTarget open(boolean changes) {
    if (server != null) {
      return RunningServer.at(server, secret());
    }
    Path directory = directory();
    Optional<RunningServer> running = noted(directory);
    if (running.isPresent()) {
      return running.get();
    }
    if (RocksStore.isStore(directory)) {
      return opened(directory, changes);
    }
    RunningServer usual = new RunningServer(USUAL, secret());
    if (data == null && usual.answers()) {
      return usual;
    }
    usual.close();
    throw new CommandFailure(
        "There is no data in "
            + directory
            + " and no server at "
            + USUAL
            + ": start one with mayfly serve, or use --data DIR or --server URL.");
  }

  private Path directory() {
    return data == null ? Path.of(Settings.DATA.standard()) : data;
  }

  private static CommandTarget opened(Path directory, boolean changes) {
    try {
      return OpenDirectory.open(directory, changes);
    } catch (StoreException failure) {
      if (failure.reason() == StoreException.Reason.IN_USE) {
        throw new CommandFailure(
            "Another process has "
                + directory
                + " open and does not answer: a server that is starting answers in a"
                + " moment; a server with --cosmos-port off needs --admin-port.",
            failure);
      }
      throw failure;
    }
  }

  /** The running server of a data directory, if there is one. */
  private Optional<RunningServer> noted(Path directory) {
    Path note = directory.resolve(NOTE);
    if (Files.notExists(note)) {
      return Optional.empty();
    }
    try {
      Document told = Json.parse(Files.readString(note), Limits.COSMOS);
      RunningServer running = new RunningServer(told.field("http").asString(), secret());
      if (running.answers()) {
        return Optional.of(running);
      }
      running.close();
      return Optional.empty();
    } catch (IOException | ValueException unreadable) {
      throw new CommandFailure("The file " + note + " cannot be read.", unreadable);
    }
  }

  private String secret() {
    if (key != null) {
      return key;
    }
    String set = System.getenv().getOrDefault("MAYFLY_COSMOS_KEY", "");
    return set.isEmpty() ? OwnKey.of(directory()).orElse("") : set;
  }
}
