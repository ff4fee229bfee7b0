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

/** The options by which a command finds the server or the directory it is meant for. */
final class Target {
  private static final String NOTE = "server.json";
  private static final String USUAL = "http://127.0.0.1:8081";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the data, whether or not a server has it open [mayfly-data].")
  private @Nullable Path data;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "HTTP address of a server, such as " + USUAL + ".")
  private @Nullable String server;

  @Option(
      names = "--key",
      paramLabel = "SECRET",
      description =
          "Key of the server's Cosmos door, where one is asked for; better given as"
              + " MAYFLY_COSMOS_KEY in the environment.")
  private @Nullable String key;

  /** Leaves word in a directory where its server is found. */
  static void note(Path directory, String url) throws IOException {
    Document told =
        Document.writer().put("http", url).put("pid", ProcessHandle.current().pid()).build();
    Files.writeString(directory.resolve(NOTE), Json.write(told) + "\n");
  }

  static void removeNote(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(NOTE));
    } catch (IOException harmless) {
      // who reads it asks the server first
      System.getLogger(Target.class.getName()).log(System.Logger.Level.DEBUG, NOTE, harmless);
    }
  }

  /**
   * Opens what is meant.
   *
   * @param changes whether the command is to change something
   * @throws CommandFailure when there is neither a server nor a directory
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
            + ": start one by mayfly serve, or say --data DIR or --server URL.");
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
                + " open and cannot be asked: a server that is starting answers in a moment; one"
                + " with --cosmos-port off needs an --admin-port.",
            failure);
      }
      throw failure;
    }
  }

  /** The server that has left word in a directory, if it is still there. */
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
