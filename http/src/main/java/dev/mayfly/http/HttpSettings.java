package dev.mayfly.http;

import dev.mayfly.net.ByteBudget;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Settings of an {@link HttpServer}.
 *
 * @param name prefix of thread names
 * @param port 0 for any free port
 * @param tls certificate for clients that begin with TLS; plain connections are served as well
 * @param loops number of event loops
 * @param memory budget for the bytes in flight of all connections; may be shared by several servers
 */
public record HttpSettings(
    String name,
    String host,
    int port,
    Optional<SSLContext> tls,
    Limits limits,
    Timeouts timeouts,
    int loops,
    ByteBudget memory) {
  public HttpSettings {
    if (loops < 1) {
      throw new IllegalArgumentException("loops must be at least 1, not " + loops);
    }
  }

  /**
   * Sizes that are accepted.
   *
   * @param body bytes of a request body, unless {@link Handler#maxBodyBytes} returns another limit
   * @param head bytes of the headers of a request
   * @param line bytes of the first line of a request
   * @param connections open at a time; further connections are closed at once
   */
  public record Limits(int body, int head, int line, int connections) {
    public static final Limits STANDARD = new Limits(1 << 20, 64 << 10, 16 << 10, 5_000);
  }

  /**
   * How long the server waits for clients.
   *
   * @param head from the first byte of a request, or from the start of the connection, to the end
   *     of the headers
   * @param request from the end of the headers to the end of the body, and for the client to read a
   *     reply
   * @param idle between requests
   * @param shutdown for requests in progress when the server closes
   */
  public record Timeouts(Duration head, Duration request, Duration idle, Duration shutdown) {
    public static final Timeouts STANDARD =
        new Timeouts(
            Duration.ofSeconds(30),
            Duration.ofSeconds(60),
            Duration.ofMinutes(10),
            Duration.ofSeconds(10));
  }

  /** Returns settings with loopback, a free port, no TLS and one event loop per processor. */
  public static HttpSettings standard() {
    return new HttpSettings(
        "http",
        "127.0.0.1",
        0,
        Optional.empty(),
        Limits.STANDARD,
        Timeouts.STANDARD,
        Runtime.getRuntime().availableProcessors(),
        ByteBudget.unlimited());
  }

  public HttpSettings withName(String changed) {
    return new HttpSettings(changed, host, port, tls, limits, timeouts, loops, memory);
  }

  public HttpSettings withAddress(String address, int at) {
    return new HttpSettings(name, address, at, tls, limits, timeouts, loops, memory);
  }

  public HttpSettings withTls(SSLContext certificate) {
    Optional<SSLContext> changed = Optional.of(certificate);
    return new HttpSettings(name, host, port, changed, limits, timeouts, loops, memory);
  }

  public HttpSettings withLimits(Limits changed) {
    return new HttpSettings(name, host, port, tls, changed, timeouts, loops, memory);
  }

  public HttpSettings withTimeouts(Timeouts changed) {
    return new HttpSettings(name, host, port, tls, limits, changed, loops, memory);
  }

  public HttpSettings withLoops(int count) {
    return new HttpSettings(name, host, port, tls, limits, timeouts, count, memory);
  }

  public HttpSettings withMemory(ByteBudget budget) {
    return new HttpSettings(name, host, port, tls, limits, timeouts, loops, budget);
  }
}
