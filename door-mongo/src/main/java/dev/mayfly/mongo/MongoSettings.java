package dev.mayfly.mongo;

import dev.mayfly.mongo.admin.Host;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.wire.Compressor;
import dev.mayfly.net.ByteBudget;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/**
 * Settings of the MongoDB door.
 *
 * @param ticker monotonic nanoseconds, for time limits and measurements
 * @param host the machine and the process, for status commands
 * @param work settings of commands
 */
public record MongoSettings(
    Address address,
    Connections connections,
    Security security,
    LongSupplier ticker,
    Host host,
    CommandSettings work) {

  /**
   * Addresses.
   *
   * @param host the address to listen at
   * @param port the port to listen at; 0 for a free one
   * @param setName the name of the replica set of which this server is the only member
   * @param advertised host and port that {@code hello} reports to drivers; empty for the address
   *     that each of them used
   * @param topology how several servers present themselves; a server alone is a replica set of one
   */
  public record Address(
      String host, int port, String setName, String advertised, ClusterTopology topology) {
    private static final int STANDARD_PORT = 27017;

    /** Loopback and the default port. */
    public static final Address STANDARD =
        new Address("127.0.0.1", STANDARD_PORT, "mayfly", "", ClusterTopology.SHARDED);

    public Address {
      if (port < 0 || port > 0xFFFF) {
        throw new IllegalArgumentException("port out of range: " + port);
      }
    }
  }

  /**
   * Connections.
   *
   * @param max the maximum number of connections; further ones are closed at once
   * @param compressors the compressors that drivers may use
   * @param loops the number of event loop threads
   * @param threads creates the threads of the door
   * @param shutdownMillis how long running commands may take to finish when the door closes
   * @param memory the budget for bytes in flight of all connections
   */
  public record Connections(
      int max,
      List<Compressor> compressors,
      int loops,
      ThreadFactory threads,
      long shutdownMillis,
      ByteBudget memory) {
    /** 5,000 connections, a loop for every processor, 10 seconds to finish. */
    public static final Connections STANDARD =
        new Connections(
            5_000,
            List.of(Compressor.SNAPPY, Compressor.ZSTD, Compressor.ZLIB),
            Runtime.getRuntime().availableProcessors(),
            Thread.ofPlatform().daemon().name("mongo-", 0).factory(),
            10_000,
            ByteBudget.unlimited());

    public Connections {
      compressors = List.copyOf(compressors);
      if (max < 1 || loops < 1 || shutdownMillis < 0) {
        throw new IllegalArgumentException(
            "max and loops must be at least 1, shutdownMillis at least 0");
      }
    }
  }

  /**
   * TLS and login.
   *
   * @param tls the certificate for clients that use TLS
   * @param plaintextPolicy the clients that may connect without TLS
   * @param login the clients that must log in
   * @param handshakeMillis how long a client may take for TLS, its first message and its login
   */
  public record Security(
      Optional<SSLContext> tls,
      PlaintextPolicy plaintextPolicy,
      Login login,
      long handshakeMillis) {
    /** No TLS, login for other machines only, 30 seconds for the handshake. */
    public static final Security STANDARD =
        new Security(Optional.empty(), PlaintextPolicy.ALL, Login.REMOTE, 30_000);
  }

  /** Loopback only, all defaults. */
  public static MongoSettings standard(LongSupplier ticker) {
    return new MongoSettings(
        Address.STANDARD,
        Connections.STANDARD,
        Security.STANDARD,
        ticker,
        Host.UNKNOWN,
        CommandSettings.STANDARD);
  }

  public MongoSettings withAddress(String host, int port) {
    return with(
        new Address(host, port, address.setName(), address.advertised(), address.topology()));
  }

  public MongoSettings withSetName(String name) {
    return with(
        new Address(
            address.host(), address.port(), name, address.advertised(), address.topology()));
  }

  public MongoSettings withAdvertisedHost(String hostAndPort) {
    return with(
        new Address(
            address.host(), address.port(), address.setName(), hostAndPort, address.topology()));
  }

  public MongoSettings withTopology(ClusterTopology topology) {
    return with(
        new Address(
            address.host(), address.port(), address.setName(), address.advertised(), topology));
  }

  public MongoSettings withMaxConnections(int max) {
    return with(
        new Connections(
            max,
            connections.compressors(),
            connections.loops(),
            connections.threads(),
            connections.shutdownMillis(),
            connections.memory()));
  }

  public MongoSettings withCompressors(List<Compressor> offered) {
    return with(
        new Connections(
            connections.max(),
            offered,
            connections.loops(),
            connections.threads(),
            connections.shutdownMillis(),
            connections.memory()));
  }

  public MongoSettings withLoops(int loops) {
    return with(
        new Connections(
            connections.max(),
            connections.compressors(),
            loops,
            connections.threads(),
            connections.shutdownMillis(),
            connections.memory()));
  }

  public MongoSettings withThreads(ThreadFactory factory) {
    return with(
        new Connections(
            connections.max(),
            connections.compressors(),
            connections.loops(),
            factory,
            connections.shutdownMillis(),
            connections.memory()));
  }

  public MongoSettings withShutdownMillis(long millis) {
    return with(
        new Connections(
            connections.max(),
            connections.compressors(),
            connections.loops(),
            connections.threads(),
            millis,
            connections.memory()));
  }

  public MongoSettings withMemory(ByteBudget budget) {
    return with(
        new Connections(
            connections.max(),
            connections.compressors(),
            connections.loops(),
            connections.threads(),
            connections.shutdownMillis(),
            budget));
  }

  public MongoSettings withTls(SSLContext certificate) {
    return with(
        new Security(
            Optional.of(certificate),
            security.plaintextPolicy(),
            security.login(),
            security.handshakeMillis()));
  }

  public MongoSettings withPlaintextPolicy(PlaintextPolicy policy) {
    return with(new Security(security.tls(), policy, security.login(), security.handshakeMillis()));
  }

  public MongoSettings withLogin(Login login) {
    return with(
        new Security(
            security.tls(), security.plaintextPolicy(), login, security.handshakeMillis()));
  }

  public MongoSettings withHandshakeMillis(long millis) {
    return with(new Security(security.tls(), security.plaintextPolicy(), security.login(), millis));
  }

  public MongoSettings withHost(Host host) {
    return new MongoSettings(address, connections, security, ticker, host, work);
  }

  public MongoSettings withWork(CommandSettings settings) {
    return new MongoSettings(address, connections, security, ticker, host, settings);
  }

  private MongoSettings with(Address changed) {
    return new MongoSettings(changed, connections, security, ticker, host, work);
  }

  private MongoSettings with(Connections changed) {
    return new MongoSettings(address, changed, security, ticker, host, work);
  }

  private MongoSettings with(Security changed) {
    return new MongoSettings(address, connections, changed, ticker, host, work);
  }
}
