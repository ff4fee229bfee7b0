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
  private static final String ADDRESS_FILE = "server.json";
  private static final String DEFAULT_URL = "http://127.0.0.1:8081";

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory, whether or not a server has it open [mayfly-data].")
  private @Nullable Path data;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description = "URL of a server, such as " + DEFAULT_URL + ".")
  private @Nullable String server;

  @Option(
      names = "--key",
      paramLabel = "SECRET",
      description =
          "Master key of the server, if it requires one; better set MAYFLY_COSMOS_KEY"
              + " in the environment.")
  private @Nullable String key;

  /** Writes the URL of a server to its data directory. */
  static void writeAddress(Path directory, String url) throws IOException {
    Document address =
        Document.writer().put("http", url).put("pid", ProcessHandle.current().pid()).build();
    Files.writeString(directory.resolve(ADDRESS_FILE), Json.write(address) + "\n");
  }

  static void removeAddress(Path directory) {
    try {
      Files.deleteIfExists(directory.resolve(ADDRESS_FILE));
    } catch (IOException failure) {
      // a stale file is harmless: commands check that the server answers
      System.getLogger(Target.class.getName())
          .log(System.Logger.Level.DEBUG, ADDRESS_FILE, failure);
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
    Optional<RunningServer> running = find(directory);
    if (running.isPresent()) {
      return running.get();
    }
    if (RocksStore.isStore(directory)) {
      return opened(directory, changes);
    }
    RunningServer byDefault = new RunningServer(DEFAULT_URL, secret());
    if (data == null && byDefault.answers()) {
      return byDefault;
    }
    byDefault.close();
    throw new CommandFailure(
        "There is no data in "
            + directory
            + " and no server at "
            + DEFAULT_URL
            + ": start one with mayfly serve, or use --data DIR or --server URL.");
  }

  /** The data directory that the options select. */
  Path directory() {
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

  /** Returns the running server of a data directory, if there is one. */
  private Optional<RunningServer> find(Path directory) {
    Path writeAddress = directory.resolve(ADDRESS_FILE);
    if (Files.notExists(writeAddress)) {
      return Optional.empty();
    }
    try {
      Document address = Json.parse(Files.readString(writeAddress), Limits.COSMOS);
      RunningServer running = new RunningServer(address.field("http").asString(), secret());
      if (running.answers()) {
        return Optional.of(running);
      }
      running.close();
      return Optional.empty();
    } catch (IOException | ValueException unreadable) {
      throw new CommandFailure("The file " + writeAddress + " cannot be read.", unreadable);
    }
  }

  private String secret() {
    if (key != null) {
      return key;
    }
    String configured = System.getenv().getOrDefault("MAYFLY_COSMOS_KEY", "");
    return configured.isEmpty() ? OwnKey.of(directory()).orElse("") : configured;
  }
}
