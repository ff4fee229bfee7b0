package dev.mayfly.server;

import dev.mayfly.MayflySettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.MongoSettings;
import java.nio.file.Path;
import java.util.Optional;

/**
 * What a server opens.
 *
 * @param data the directory; empty for an instance in memory
 * @param clock the clock of a server for tests, which clients may move; empty for the real one
 * @param mongo the door for MongoDB clients; where it spills and its clock are the server's choice
 * @param cosmos the door for clients of Azure Cosmos DB; empty for none. Without a certificate it
 *     gets one of its own, which is kept in the directory
 * @param admin a port for the operator's requests alone; empty for none: they are answered at the
 *     Cosmos door, if that is open
 */
public record ServerSettings(
    Optional<Path> data,
    MayflySettings instance,
    Optional<ManualClock> clock,
    MongoSettings mongo,
    Optional<CosmosSettings> cosmos,
    Optional<AdminSettings> admin) {

  /** In memory, on the real clock, at free ports of this machine. */
  public static ServerSettings inMemory() {
    return new ServerSettings(
        Optional.empty(),
        MayflySettings.standard(),
        Optional.empty(),
        MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0),
        Optional.of(CosmosSettings.standard(System::currentTimeMillis).withAddress("127.0.0.1", 0)),
        Optional.empty());
  }

  public ServerSettings withData(Path directory) {
    return new ServerSettings(Optional.of(directory), instance, clock, mongo, cosmos, admin);
  }

  public ServerSettings withInstance(MayflySettings changed) {
    return new ServerSettings(data, changed, clock, mongo, cosmos, admin);
  }

  public ServerSettings withClock(ManualClock movable) {
    return new ServerSettings(data, instance, Optional.of(movable), mongo, cosmos, admin);
  }

  public ServerSettings withMongo(MongoSettings changed) {
    return new ServerSettings(data, instance, clock, changed, cosmos, admin);
  }

  public ServerSettings withCosmos(CosmosSettings changed) {
    return new ServerSettings(data, instance, clock, mongo, Optional.of(changed), admin);
  }

  public ServerSettings withoutCosmos() {
    return new ServerSettings(data, instance, clock, mongo, Optional.empty(), admin);
  }

  public ServerSettings withAdmin(AdminSettings changed) {
    return new ServerSettings(data, instance, clock, mongo, cosmos, Optional.of(changed));
  }

  /** Where what does not fit into memory goes. */
  Path spillDirectory() {
    return data.orElse(Path.of(System.getProperty("java.io.tmpdir"))).resolve("mayfly-spill");
  }
}
