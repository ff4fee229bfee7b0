package dev.mayfly.server;

import dev.mayfly.MayflySettings;
import dev.mayfly.admin.console.ServerFacts;
import dev.mayfly.console.ConsoleSettings;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.mongo.MongoSettings;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Settings of a server.
 *
 * @param data data directory; empty for a server in memory
 * @param clock test clock that clients can move; empty for the system clock
 * @param mongo MongoDB door; the server sets its spill directory and clock
 * @param cosmos Cosmos door; empty for none
 * @param admin separate port for the admin API; empty if the port of the Cosmos door serves it
 * @param console web console, on the same ports as the admin API
 * @param tls certificate of the Cosmos door, unless its settings have one
 * @param emulator mode for tests; empty for a server that protects its data
 * @param seed directory with definitions and documents for an empty server; empty for none
 * @param health separate port for health checks; empty for none
 * @param inEffect settings as the console lists them
 */
public record ServerSettings(
    Optional<Path> data,
    MayflySettings instance,
    Optional<ManualClock> clock,
    MongoSettings mongo,
    Optional<CosmosSettings> cosmos,
    Optional<AdminSettings> admin,
    ConsoleSettings console,
    TlsSettings tls,
    Optional<EmulatorSettings> emulator,
    Optional<Path> seed,
    Optional<HealthSettings> health,
    List<ServerFacts.SettingInEffect> inEffect) {

  public ServerSettings {
    inEffect = List.copyOf(inEffect);
  }

  /** In memory, with the system clock, on free ports of the loopback address. */
  public static ServerSettings inMemory() {
    return new ServerSettings(
        Optional.empty(),
        MayflySettings.standard(),
        Optional.empty(),
        MongoSettings.standard(System::nanoTime).withAddress("127.0.0.1", 0),
        Optional.of(CosmosSettings.standard(System::currentTimeMillis).withAddress("127.0.0.1", 0)),
        Optional.empty(),
        ConsoleSettings.standard(),
        TlsSettings.STANDARD,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of());
  }

  public ServerSettings withData(Path directory) {
    return new ServerSettings(
        Optional.of(directory),
        instance,
        clock,
        mongo,
        cosmos,
        admin,
        console,
        tls,
        emulator,
        seed,
        health,
        inEffect);
  }

  public ServerSettings withInstance(MayflySettings changed) {
    return new ServerSettings(
        data, changed, clock, mongo, cosmos, admin, console, tls, emulator, seed, health, inEffect);
  }

  public ServerSettings withClock(ManualClock movable) {
    return new ServerSettings(
        data,
        instance,
        Optional.of(movable),
        mongo,
        cosmos,
        admin,
        console,
        tls,
        emulator,
        seed,
        health,
        inEffect);
  }

  public ServerSettings withMongo(MongoSettings changed) {
    return new ServerSettings(
        data, instance, clock, changed, cosmos, admin, console, tls, emulator, seed, health,
        inEffect);
  }

  public ServerSettings withCosmos(CosmosSettings changed) {
    return new ServerSettings(
        data,
        instance,
        clock,
        mongo,
        Optional.of(changed),
        admin,
        console,
        tls,
        emulator,
        seed,
        health,
        inEffect);
  }

  public ServerSettings withoutCosmos() {
    return new ServerSettings(
        data,
        instance,
        clock,
        mongo,
        Optional.empty(),
        admin,
        console,
        tls,
        emulator,
        seed,
        health,
        inEffect);
  }

  public ServerSettings withAdmin(AdminSettings changed) {
    return new ServerSettings(
        data,
        instance,
        clock,
        mongo,
        cosmos,
        Optional.of(changed),
        console,
        tls,
        emulator,
        seed,
        health,
        inEffect);
  }

  public ServerSettings withConsole(ConsoleSettings changed) {
    return new ServerSettings(
        data, instance, clock, mongo, cosmos, admin, changed, tls, emulator, seed, health,
        inEffect);
  }

  /** For tests: the doors accept everybody, and the data directory is marked. */
  public ServerSettings withEmulator(EmulatorSettings settings) {
    return new ServerSettings(
        data,
        instance,
        clock,
        mongo.withWork(mongo.work().withEmulator()),
        cosmos.map(CosmosSettings::withEmulator),
        admin,
        console,
        tls,
        Optional.of(settings),
        seed,
        health,
        inEffect);
  }

  public ServerSettings withTls(TlsSettings changed) {
    return new ServerSettings(
        data, instance, clock, mongo, cosmos, admin, console, changed, emulator, seed, health,
        inEffect);
  }

  public ServerSettings withSeed(Path directory) {
    return new ServerSettings(
        data,
        instance,
        clock,
        mongo,
        cosmos,
        admin,
        console,
        tls,
        emulator,
        Optional.of(directory),
        health,
        inEffect);
  }

  public ServerSettings withHealth(HealthSettings changed) {
    return new ServerSettings(
        data,
        instance,
        clock,
        mongo,
        cosmos,
        admin,
        console,
        tls,
        emulator,
        seed,
        Optional.of(changed),
        inEffect);
  }

  public ServerSettings withInEffect(List<ServerFacts.SettingInEffect> listed) {
    return new ServerSettings(
        data, instance, clock, mongo, cosmos, admin, console, tls, emulator, seed, health, listed);
  }

  /** Directory for temporary files of sorts and groups that exceed memory. */
  Path spillDirectory() {
    return data.orElse(Path.of(System.getProperty("java.io.tmpdir"))).resolve("mayfly-spill");
  }
}
