package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.Server;
import dev.mayfly.ServerSettings;
import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;

/** What is said when a server can be connected to. */
final class Ready {
  private final String mongo;
  private final String cosmos;
  private final String data;

  Ready(Server server, ServerSettings settings) {
    this.mongo = server.mongo().connectionString();
    this.cosmos =
        server.cosmos().map(door -> account(door, settings.cosmos().orElseThrow())).orElse("");
    this.data =
        settings.data().map(path -> path.toAbsolutePath().normalize().toString()).orElse("");
  }

  /** The key of the emulator is no secret; any other is not shown. */
  private static String account(CosmosDoor door, CosmosSettings settings) {
    String key = settings.key().equals(MasterKey.WELL_KNOWN) ? settings.key() : "(yours)";
    return "AccountEndpoint=" + door.endpoint() + ";AccountKey=" + key + ";";
  }

  String text() {
    return String.join(
        System.lineSeparator(),
        "Mayfly " + Mayfly.VERSION + " is ready.",
        "  MongoDB   " + mongo,
        "  Cosmos    " + (cosmos.isEmpty() ? "off" : cosmos),
        "  Data      " + (data.isEmpty() ? "in memory, gone when it stops" : data),
        "  Stop      Ctrl-C; a second one stops at once");
  }

  String json() {
    return Json.write(
        Document.writer()
            .put("version", Mayfly.VERSION)
            .put("mongo", mongo)
            .put("cosmos", cosmos)
            .put("data", data)
            .put("pid", ProcessHandle.current().pid())
            .build());
  }
}
