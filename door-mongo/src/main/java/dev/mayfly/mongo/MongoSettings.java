package dev.mayfly.mongo;

import dev.mayfly.mongo.admin.Host;
import dev.mayfly.mongo.auth.Login;
import dev.mayfly.mongo.wire.Compressor;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/**
 * How the door is open.
 *
 * @param host the address it listens at
 * @param port the port it listens at; 0 for one that is free
 * @param setName the replica set whose only member this server says it is
 * @param advertisedHost host and port that drivers are told to use; empty for the address by which
 *     each of them came
 * @param maxConnections how many may be open at a time; further ones are closed at once
 * @param compressors what drivers may pack messages with
 * @param tls the certificate for clients that begin with TLS; plain ones are served as well
 * @param login which clients must prove who they are
 * @param threads makes the thread of a connection
 * @param shutdownMillis how long commands in progress may take to finish when the door closes
 * @param ticker nanoseconds that go on by themselves, for limits of time and for measuring
 * @param about the machine and the process, for those who ask
 * @param work how commands work
 */
public record MongoSettings(
    String host,
    int port,
    String setName,
    String advertisedHost,
    int maxConnections,
    List<Compressor> compressors,
    Optional<SSLContext> tls,
    Login login,
    ThreadFactory threads,
    long shutdownMillis,
    LongSupplier ticker,
    Host about,
    WorkSettings work) {
  private static final int STANDARD_PORT = 27017;

  public MongoSettings {
    compressors = List.copyOf(compressors);
    if (port < 0 || port > 0xFFFF || maxConnections < 1 || shutdownMillis < 0) {
      throw new IllegalArgumentException("a setting of the MongoDB door is out of bounds");
    }
  }

  /**
   * Loopback only, the usual port, 5,000 connections with a platform thread each, no TLS, users
   * asked for from other machines only.
   */
  public static MongoSettings standard(LongSupplier ticker) {
    return new MongoSettings(
        "127.0.0.1",
        STANDARD_PORT,
        "mayfly",
        "",
        5_000,
        List.of(Compressor.SNAPPY, Compressor.ZSTD, Compressor.ZLIB),
        Optional.empty(),
        Login.FROM_AFAR,
        Thread.ofPlatform().daemon().name("mongo-", 0).factory(),
        10_000,
        ticker,
        Host.UNKNOWN,
        WorkSettings.STANDARD);
  }

  public MongoSettings withAddress(String address, int number) {
    return new MongoSettings(
        address,
        number,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withSetName(String name) {
    return new MongoSettings(
        host,
        port,
        name,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withAdvertisedHost(String hostAndPort) {
    return new MongoSettings(
        host,
        port,
        setName,
        hostAndPort,
        maxConnections,
        compressors,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withMaxConnections(int most) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        most,
        compressors,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withCompressors(List<Compressor> offered) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        offered,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withTls(SSLContext context) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        Optional.of(context),
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withLogin(Login who) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        who,
        threads,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withThreads(ThreadFactory factory) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        login,
        factory,
        shutdownMillis,
        ticker,
        about,
        work);
  }

  public MongoSettings withShutdownMillis(long millis) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        login,
        threads,
        millis,
        ticker,
        about,
        work);
  }

  public MongoSettings withAbout(Host told) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        told,
        work);
  }

  public MongoSettings withWork(WorkSettings how) {
    return new MongoSettings(
        host,
        port,
        setName,
        advertisedHost,
        maxConnections,
        compressors,
        tls,
        login,
        threads,
        shutdownMillis,
        ticker,
        about,
        how);
  }
}
