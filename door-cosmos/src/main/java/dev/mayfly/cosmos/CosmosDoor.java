package dev.mayfly.cosmos;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cluster.Cells;
import dev.mayfly.cosmos.account.Account;
import dev.mayfly.cosmos.auth.Guard;
import dev.mayfly.cosmos.auth.LocalRequests;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.cosmos.auth.ResourceTokens;
import dev.mayfly.cosmos.auth.Signatures;
import dev.mayfly.engine.Engine;
import dev.mayfly.http.Handler;
import dev.mayfly.http.HttpServer;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;

/**
 * Server for Azure Cosmos DB SDKs. Closing it leaves the engines open.
 *
 * <p>One per server: connections, TLS, authentication and the account. The resources of an engine
 * are in its {@link Backend}.
 *
 * <pre>{@code
 * CosmosSettings settings = CosmosSettings.standard(wall).withAddress("127.0.0.1", 0);
 * try (CosmosDoor door = CosmosDoor.open(engine, settings)) {
 *   System.out.println("AccountEndpoint=" + door.endpoint());
 * }
 * }</pre>
 */
public final class CosmosDoor implements AutoCloseable {
  private final CosmosSettings settings;
  private final HttpServer server;
  private final Backends backends;

  private CosmosDoor(CosmosSettings settings, HttpServer server, Backends backends) {
    this.settings = settings;
    this.server = server;
    this.backends = backends;
  }

  /**
   * Opens the door of a server that is alone: clients can connect when this returns.
   *
   * @throws IllegalArgumentException if the key is not valid base64, or if other machines can
   *     connect and the key is well known or too short
   * @throws java.io.UncheckedIOException if the address is not available
   */
  public static CosmosDoor open(Engine engine, CosmosSettings settings) {
    return open(engine, settings, UnaryOperator.identity());
  }

  /**
   * As {@link #open(Engine, CosmosSettings)}, with a handler in front of the door.
   *
   * @param wrap given the handler of the door, returns the handler that receives all requests
   */
  public static CosmosDoor open(
      Engine engine, CosmosSettings settings, UnaryOperator<Handler> wrap) {
    return open(Cells.single(engine), () -> 0, settings, wrap);
  }

  /**
   * As {@link #open(Engine, CosmosSettings, UnaryOperator)}, for a server of a cluster.
   *
   * @param ticker the monotonic clock in nanoseconds
   */
  public static CosmosDoor open(
      Cells cells, LongSupplier ticker, CosmosSettings settings, UnaryOperator<Handler> wrap) {
    MasterKey key = new MasterKey(settings.key());
    checkKey(settings, key);
    ResourceTokens tokens = new ResourceTokens(key, settings.testClock().orElse(settings.wall()));
    Signatures signatures = new Signatures(key, settings.wall(), settings.testClock());
    Guard guard = new Guard(signatures, tokens, localOnly(settings));
    Backends backends = backends(cells, ticker, settings, tokens);
    try {
      Dispatcher dispatcher =
          new Dispatcher(guard, backends, new Account(cells), settings.wall(), settings.emulator());
      HttpServer server =
          HttpServer.open(settings.http().withName("cosmos"), wrap.apply(dispatcher));
      return new CosmosDoor(settings, server, backends);
    } catch (RuntimeException failure) {
      backends.close();
      throw failure;
    }
  }

  private static Backends backends(
      Cells cells, LongSupplier ticker, CosmosSettings settings, ResourceTokens tokens) {
    if (cells.isShared()) {
      CellBackends served = new CellBackends(settings, tokens);
      return ClusterBackends.open(cells, served, ticker, settings.wall());
    }
    Cell only = cells.served().getFirst();
    return new OneBackend(Backend.open(only.engine(), only.number(), settings, tokens));
  }

  /** The well-known key is accepted from this machine alone, except by an emulator. */
  private static Optional<LocalRequests> localOnly(CosmosSettings settings) {
    return settings.key().equals(MasterKey.WELL_KNOWN) && !settings.emulator()
        ? Optional.of(new LocalRequests(settings.advertised()))
        : Optional.empty();
  }

  private static void checkKey(CosmosSettings settings, MasterKey key) {
    if (settings.emulator() || loopback(settings.http().host())) {
      return;
    }
    if (key.bytes() < MasterKey.MIN_BYTES) {
      throw new IllegalArgumentException(
          "the key has only "
              + key.bytes()
              + " bytes, so other machines could guess it: use at least 32");
    }
    if (settings.key().equals(MasterKey.WELL_KNOWN)) {
      throw new IllegalArgumentException(
          "the well-known key of the emulator does not protect a server that other machines can"
              + " reach at "
              + settings.http().host()
              + ": choose another key (64 random bytes in base64) with --cosmos-key, or bind"
              + " to 127.0.0.1");
    }
  }

  private static boolean loopback(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (UnknownHostException unknown) {
      return false;
    }
  }

  /** Returns the number of open connections. */
  public int connections() {
    return server.connections();
  }

  public int port() {
    return server.port();
  }

  /** Returns the endpoint URL for clients on this machine; https if there is a certificate. */
  public String endpoint() {
    String scheme = settings.http().tls().isPresent() ? "https" : "http";
    return scheme + "://" + server.host() + ":" + port() + "/";
  }

  /**
   * Stops accepting connections and waits for requests in progress. A server of a cluster still
   * answers what others relay, until its cells are closed.
   */
  @Override
  public void close() {
    server.close();
    backends.close();
  }
}
