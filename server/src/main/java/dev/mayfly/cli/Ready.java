package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.StoppedClock;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.server.OwnKey;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.nio.file.Files;
import java.time.Instant;

/** Startup message: connection strings, data directory and warnings. */
final class Ready {
  private final String mongo;
  private final String cosmos;
  private final String operator;
  private final String admin;
  private final String console;
  private final String data;
  private final String clock;
  private final String network;
  private final String waitLines;

  /** Random key of a server in memory, which has no file to store it in; otherwise empty. */
  private final String randomKey;

  Ready(Server server, ServerSettings settings) {
    this.mongo = server.mongo().connectionString();
    this.network = NetworkWarnings.of(server, settings);
    this.randomKey = randomKey(server, settings);
    this.cosmos = server.cosmos().map(door -> account(door, settings, randomKey)).orElse("");
    this.operator = server.operatorUrl().orElse("");
    this.admin =
        settings.admin().isPresent()
            ? "  Operator  " + operator + operatorKey() + System.lineSeparator()
            : "";
    this.console = server.consoleUrl().orElse("");
    this.data = settings.dataDescription();
    this.clock = clock(settings);
    this.waitLines = settings.emulator().isPresent() ? EmulatorLines.waitLines(server) : "";
  }

  private static String randomKey(Server server, ServerSettings settings) {
    boolean given =
        settings
            .cosmos()
            .map(door -> !door.key().isEmpty())
            .or(() -> settings.admin().map(door -> !door.key().isEmpty()))
            .orElse(true);
    return given || settings.data().isPresent() ? "" : server.key();
  }

  private String operatorKey() {
    return cosmos.isEmpty() && !randomKey.isEmpty() ? " (key: " + randomKey + ")" : "";
  }

  /** Returns a line that reports a manual clock; empty for the system clock. */
  private static String clock(ServerSettings settings) {
    return settings
        .clock()
        .map(
            clock ->
                "  Clock     "
                    + (clock.stands()
                        ? "stopped at " + Instant.ofEpochMilli(clock.now()) + until(settings)
                        : "goes on from "
                            + Instant.ofEpochMilli(clock.now())
                            + "; clients can move it forward")
                    + System.lineSeparator())
        .orElse("");
  }

  private static String until(ServerSettings settings) {
    return settings
        .data()
        .map(StoppedClock::file)
        .filter(Files::exists)
        .map(file -> " until " + file + " is removed")
        .orElse(" until a client moves it");
  }

  /**
   * Connection string. Contains the key if it is the emulator's key, which is public, or a random
   * key of a server in memory; otherwise it contains the file of the key, or "(yours)".
   */
  private static String account(CosmosDoor door, ServerSettings settings, String randomKey) {
    String configured = settings.cosmos().orElseThrow().key();
    String key =
        switch (configured) {
          case MasterKey.WELL_KNOWN -> configured;
          case "" ->
              settings.data().map(path -> "(in " + OwnKey.file(path) + ")").orElse(randomKey);
          default -> "(yours)";
        };
    return "AccountEndpoint=" + door.endpoint() + ";AccountKey=" + key + ";";
  }

  String text() {
    return String.join(
        System.lineSeparator(),
        "Mayfly " + Mayfly.VERSION + " is ready.",
        "  MongoDB   " + mongo,
        "  Cosmos    " + (cosmos.isEmpty() ? "off" : cosmos),
        "  Console   " + (console.isEmpty() ? "off" : console),
        admin + "  Data      " + (data.isEmpty() ? "in memory; lost when the server stops" : data),
        network + clock + "  Stop      Ctrl-C; a second Ctrl-C stops at once");
  }

  /** Lines that wait strategies for the images of others look for; empty without an emulator. */
  String waitLines() {
    return waitLines;
  }

  String json() {
    return Json.write(
        Document.writer()
            .put("version", Mayfly.VERSION)
            .put("mongo", mongo)
            .put("cosmos", cosmos)
            .put("operator", operator)
            .put("console", console)
            .put("key", randomKey)
            .put("data", data)
            .put("pid", ProcessHandle.current().pid())
            .build());
  }
}
