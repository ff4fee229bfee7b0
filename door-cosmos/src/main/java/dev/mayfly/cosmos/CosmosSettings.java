package dev.mayfly.cosmos;

import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.http.HttpSettings;
import dev.mayfly.engine.Durability;
import dev.mayfly.expiry.Clock;
import javax.net.ssl.SSLContext;

/**
 * How the door is open.
 *
 * @param key what clients sign with, in base64
 * @param wall the time that clients and their signatures go by, whatever the time of the engine
 * @param lenientOrder whether queries may be ordered by what is not indexed
 * @param durability what a client can rely on when it is told that an item is written
 */
public record CosmosSettings(
    HttpSettings http, String key, Clock wall, boolean lenientOrder, Durability durability) {
  private static final int STANDARD_PORT = 8081;

  /** Loopback, the port and the key of the emulator, no TLS. */
  public static CosmosSettings standard(Clock wall) {
    HttpSettings http = HttpSettings.standard().withAddress("127.0.0.1", STANDARD_PORT);
    return new CosmosSettings(http, MasterKey.WELL_KNOWN, wall, false, Durability.LOGGED);
  }

  public CosmosSettings withAddress(String host, int port) {
    return new CosmosSettings(http.withAddress(host, port), key, wall, lenientOrder, durability);
  }

  public CosmosSettings withHttp(HttpSettings changed) {
    return new CosmosSettings(changed, key, wall, lenientOrder, durability);
  }

  public CosmosSettings withTls(SSLContext certificate) {
    return new CosmosSettings(http.withTls(certificate), key, wall, lenientOrder, durability);
  }

  public CosmosSettings withKey(String base64) {
    return new CosmosSettings(http, base64, wall, lenientOrder, durability);
  }

  public CosmosSettings withLenientOrder(boolean lenient) {
    return new CosmosSettings(http, key, wall, lenient, durability);
  }

  public CosmosSettings withDurability(Durability changed) {
    return new CosmosSettings(http, key, wall, lenientOrder, changed);
  }
}
