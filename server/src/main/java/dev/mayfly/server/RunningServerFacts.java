package dev.mayfly.server;

import dev.mayfly.admin.Readiness;
import dev.mayfly.admin.ServedEngines;
import dev.mayfly.admin.console.History;
import dev.mayfly.admin.console.ServerFacts;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.mongo.PlaintextPolicy;
import dev.mayfly.mongo.admin.ProcessMemory;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** What the console shows about a running server. */
final class RunningServerFacts implements ServerFacts, History.Gauges {
  private final ServedData data;
  private final ServedEngines engines;
  private final MongoDoor mongo;
  private final ServerSettings settings;
  private final Supplier<Readiness> readiness;
  private final long startedAt = System.currentTimeMillis();
  private volatile IntSupplier cosmosConnections = () -> 0;
  private volatile int cosmosPort = -1;

  RunningServerFacts(
      ServedData data,
      ServedEngines engines,
      MongoDoor mongo,
      ServerSettings settings,
      Supplier<Readiness> readiness) {
    this.data = data;
    this.engines = engines;
    this.mongo = mongo;
    this.settings = settings;
    this.readiness = readiness;
  }

  void cosmosConnections(IntSupplier open) {
    cosmosConnections = open;
  }

  void cosmosPort(int port) {
    cosmosPort = port;
  }

  @Override
  public Readiness readiness() {
    return readiness.get();
  }

  @Override
  public long startedAt() {
    return startedAt;
  }

  @Override
  public long wall() {
    return System.currentTimeMillis();
  }

  @Override
  public long residentBytes() {
    return ProcessMemory.now().resident();
  }

  @Override
  public long diskBytes() {
    return data.bytesOnDisk();
  }

  @Override
  public long freeDiskBytes() {
    return settings.data().map(Path::toFile).map(java.io.File::getUsableSpace).orElse(-1L);
  }

  @Override
  public boolean writable() {
    return data.writable();
  }

  @Override
  public int mongoConnections() {
    return mongo.connections();
  }

  @Override
  public int cosmosConnections() {
    return cosmosConnections.getAsInt();
  }

  @Override
  public int cursors() {
    return mongo.cursors();
  }

  @Override
  public long swept() {
    return engines.sweepStats().documents();
  }

  @Override
  public long lagMillis() {
    return engines.sweepStats().lagMillis();
  }

  @Override
  public long heapBytes() {
    Runtime heap = Runtime.getRuntime();
    return heap.totalMemory() - heap.freeMemory();
  }

  @Override
  public Endpoints endpoints() {
    return new Endpoints(
        mongo.address().getAddress().isAnyLocalAddress()
            ? "127.0.0.1"
            : mongo.address().getAddress().getHostAddress(),
        mongo.address().getPort(),
        settings.mongo().security().plaintextPolicy() != PlaintextPolicy.ALL,
        settings.mongo().address().setName(),
        settings.mongo().security().login().name().toLowerCase(Locale.ROOT),
        cosmosPort,
        settings.cosmos().map(door -> door.http().tls().isEmpty()).orElse(false),
        settings.mongo().address().advertised(),
        settings.dataDescription());
  }

  @Override
  public List<SettingInEffect> settings() {
    return settings.inEffect();
  }
}
