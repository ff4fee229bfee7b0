package dev.mayfly.cosmos;

import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.HttpSettings;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Settings of the Cosmos door.
 *
 * @param key master key of the account, in base64
 * @param advertised host name of this machine, perhaps with a port, that clients may use besides
 *     loopback; empty for none
 * @param wall clock of clients and their signatures, which may differ from the engine's clock
 * @param testClock clock that tests move: signatures may be dated by it, too, and resource tokens
 *     expire by it; empty for none
 * @param lenientOrder whether ORDER BY accepts paths that are not indexed
 * @param durability of writes when they are acknowledged
 * @param emulator whether the well-known key is accepted from everywhere, and the account can be
 *     read without a signature, as tools expect of the emulators
 */
public record CosmosSettings(
    HttpSettings http,
    String key,
    String advertised,
    Clock wall,
    Optional<Clock> testClock,
    boolean lenientOrder,
    Durability durability,
    boolean emulator) {
  private static final int STANDARD_PORT = 8081;

  /** Returns settings with loopback, the port and the key of the emulator, and no TLS. */
  public static CosmosSettings standard(Clock wall) {
    HttpSettings http = HttpSettings.standard().withAddress("127.0.0.1", STANDARD_PORT);
    return new CosmosSettings(
        http, MasterKey.WELL_KNOWN, "", wall, Optional.empty(), false, Durability.SYNCED, false);
  }

  public CosmosSettings withAddress(String host, int port) {
    return withHttp(http.withAddress(host, port));
  }

  public CosmosSettings withHttp(HttpSettings changed) {
    return new CosmosSettings(
        changed, key, advertised, wall, testClock, lenientOrder, durability, emulator);
  }

  public CosmosSettings withTls(SSLContext certificate) {
    return withHttp(http.withTls(certificate));
  }

  public CosmosSettings withKey(String base64) {
    return new CosmosSettings(
        http, base64, advertised, wall, testClock, lenientOrder, durability, emulator);
  }

  public CosmosSettings withAdvertisedHost(String host) {
    return new CosmosSettings(http, key, host, wall, testClock, lenientOrder, durability, emulator);
  }

  public CosmosSettings withTestClock(Clock movable) {
    return new CosmosSettings(
        http, key, advertised, wall, Optional.of(movable), lenientOrder, durability, emulator);
  }

  public CosmosSettings withLenientOrder(boolean lenient) {
    return new CosmosSettings(
        http, key, advertised, wall, testClock, lenient, durability, emulator);
  }

  public CosmosSettings withDurability(Durability changed) {
    return new CosmosSettings(
        http, key, advertised, wall, testClock, lenientOrder, changed, emulator);
  }

  public CosmosSettings withEmulator() {
    return new CosmosSettings(
        http, key, advertised, wall, testClock, lenientOrder, durability, true);
  }
}
