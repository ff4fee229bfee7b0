package dev.mayfly.http;

import dev.mayfly.net.ByteBudget;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import javax.net.ssl.SSLContext;

/**
 * How a server is open.
 *
 * @param port 0 for one that is free
 * @param tls the certificate for clients that begin with TLS; plain ones are served as well
 * @param loops in how many threads connections are read from
 * @param threads makes the threads of requests that take a while
 * @param memory what the bytes in flight of all connections may use
 */
public record HttpSettings(
    String host,
    int port,
    Optional<SSLContext> tls,
    Sizes sizes,
    Patience patience,
    int loops,
    ThreadFactory threads,
    ByteBudget memory) {
  public HttpSettings {
    if (loops < 1) {
      throw new IllegalArgumentException("connections are read from in at least one thread");
    }
  }

  /**
   * How much is accepted.
   *
   * @param body bytes of the body of a request
   * @param head bytes of its headers
   * @param line bytes of its first line
   * @param connections open at a time; further ones are closed at once
   */
  public record Sizes(int body, int head, int line, int connections) {
    /** A little more than 2 MiB of body, as the service has it. */
    public static final Sizes STANDARD =
        new Sizes((2 << 20) + (64 << 10), 64 << 10, 16 << 10, 5_000);
  }

  /**
   * How long clients are waited for.
   *
   * @param head from the first byte of a request, or from the start of the connection, to the end
   *     of its head
   * @param request from the head of a request to the end of its body, and for a reply to be taken
   * @param idle between requests
   * @param shutdown for requests in progress when the server is closed
   */
  public record Patience(Duration head, Duration request, Duration idle, Duration shutdown) {
    public static final Patience STANDARD =
        new Patience(
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofMinutes(10),
            Duration.ofSeconds(10));
  }

  /** Loopback, a free port, no TLS, virtual threads, and a loop for every processor. */
  public static HttpSettings standard() {
    return new HttpSettings(
        "127.0.0.1",
        0,
        Optional.empty(),
        Sizes.STANDARD,
        Patience.STANDARD,
        Runtime.getRuntime().availableProcessors(),
        Thread.ofVirtual().name("cosmos-", 0).factory(),
        ByteBudget.unlimited());
  }

  public HttpSettings withAddress(String address, int at) {
    return new HttpSettings(address, at, tls, sizes, patience, loops, threads, memory);
  }

  public HttpSettings withTls(SSLContext certificate) {
    return new HttpSettings(
        host, port, Optional.of(certificate), sizes, patience, loops, threads, memory);
  }

  public HttpSettings withSizes(Sizes changed) {
    return new HttpSettings(host, port, tls, changed, patience, loops, threads, memory);
  }

  public HttpSettings withPatience(Patience changed) {
    return new HttpSettings(host, port, tls, sizes, changed, loops, threads, memory);
  }

  public HttpSettings withLoops(int count) {
    return new HttpSettings(host, port, tls, sizes, patience, count, threads, memory);
  }

  public HttpSettings withMemory(ByteBudget budget) {
    return new HttpSettings(host, port, tls, sizes, patience, loops, threads, budget);
  }
}
