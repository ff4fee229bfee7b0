package dev.mayfly.spring;

import dev.mayfly.Mayfly;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.server.EmulatorSettings;
import dev.mayfly.server.Server;
import dev.mayfly.server.ServerSettings;
import java.util.Optional;

/** Emulator in memory, on free ports of this machine; it ends with the application. */
public final class MayflyServer implements AutoCloseable {
  private final Server server;
  private final MayflyClock clock;

  private MayflyServer(Server server, MayflyClock clock) {
    this.server = server;
    this.clock = clock;
  }

  static MayflyServer start(MayflyProperties properties) {
    ManualClock running = Mayfly.offsetClock();
    ManualClock clock =
        switch (properties.clock()) {
          case STANDING -> new ManualClock(running.now());
          case OFFSET -> running;
        };
    ServerSettings settings =
        ServerSettings.inMemory()
            .withEmulator(new EmulatorSettings(Optional.empty()))
            .withClock(clock);
    Server server =
        Server.open(
            Optional.ofNullable(properties.seed()).map(settings::withSeed).orElse(settings));
    return new MayflyServer(server, new MayflyClock(clock, server.mayfly().engine()));
  }

  /** The clock of the server. */
  public MayflyClock clock() {
    return clock;
  }

  /** Connection string for MongoDB drivers. */
  public String mongo() {
    return server.mongo().connectionString();
  }

  /** Endpoint for Cosmos DB SDKs, plain HTTP. */
  public String cosmos() {
    return "http://127.0.0.1:" + server.cosmos().orElseThrow().port() + "/";
  }

  /** Key for Cosmos DB SDKs: the emulator's key. */
  public String cosmosKey() {
    return MasterKey.WELL_KNOWN;
  }

  @Override
  public void close() {
    server.close();
  }
}
