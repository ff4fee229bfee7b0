package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.OwnKey;
import dev.mayfly.Server;
import dev.mayfly.ServerSettings;
import dev.mayfly.StoppedClock;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.nio.file.Files;
import java.time.Instant;

/** What is said when a server can be connected to. */
final class Ready {
  private final String mongo;
  private final String cosmos;
  private final String operator;
  private final String admin;
  private final String data;
  private final String clock;
  private final String network;

  Ready(Server server, ServerSettings settings) {
    this.mongo = server.mongo().connectionString();
    this.network = Network.of(server, settings);
    this.cosmos = server.cosmos().map(door -> account(door, settings)).orElse("");
    this.operator = server.operatorUrl().orElse("");
    this.admin =
        settings.admin().isPresent() ? "  Operator  " + operator + System.lineSeparator() : "";
    this.data =
        settings.data().map(path -> path.toAbsolutePath().normalize().toString()).orElse("");
    this.clock = clock(settings);
  }

  /** A clock that does not go must not be overlooked. */
  private static String clock(ServerSettings settings) {
    return settings
        .clock()
        .map(
            hand ->
                "  Clock     stands still at "
                    + Instant.ofEpochMilli(hand.now())
                    + settings
                        .data()
                        .map(StoppedClock::file)
                        .filter(Files::exists)
                        .map(file -> " until " + file + " is removed")
                        .orElse(" until a client moves it")
                    + System.lineSeparator())
        .orElse("");
  }

  /** The key of the emulator is no secret; any other is not shown. */
  private static String account(CosmosDoor door, ServerSettings settings) {
    String set = settings.cosmos().orElseThrow().key();
    String key =
        switch (set) {
          case MasterKey.WELL_KNOWN -> set;
          case "" -> "(in " + OwnKey.file(settings.data().orElseThrow()) + ")";
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
        admin + "  Data      " + (data.isEmpty() ? "in memory, gone when it stops" : data),
        network + clock + "  Stop      Ctrl-C; a second one stops at once");
  }

  String json() {
    return Json.write(
        Document.writer()
            .put("version", Mayfly.VERSION)
            .put("mongo", mongo)
            .put("cosmos", cosmos)
            .put("operator", operator)
            .put("data", data)
            .put("pid", ProcessHandle.current().pid())
            .build());
  }
}
