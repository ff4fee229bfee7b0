package dev.mayfly.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request of a client, complete with its body. Immutable but for whether it is abandoned. */
public final class Request {
  private static final byte[] NO_BODY = {};

  private final String method;
  private final String target;
  private final String path;
  private final HttpHeaders headers;
  private final byte[] body;
  private final boolean secure;
  private final InetSocketAddress peer;
  private volatile boolean abandoned;

  Request(
      String method,
      String target,
      HttpHeaders headers,
      byte[] body,
      boolean secure,
      InetSocketAddress peer) {
    int question = target.indexOf('?');
    this.method = method;
    this.target = target;
    this.path = question < 0 ? target : target.substring(0, question);
    this.headers = headers;
    this.body = body;
    this.secure = secure;
    this.peer = peer;
  }

  /** A request that came over no connection. */
  public static Request of(String method, String path, Map<String, String> headers, byte[] body) {
    DefaultHttpHeaders fields = new DefaultHttpHeaders();
    headers.forEach(fields::set);
    InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new Request(method, path, fields, body, false, nowhere);
  }

  /** As {@link #of(String, String, Map, byte[])}, without a body. */
  public static Request of(String method, String path, Map<String, String> headers) {
    return of(method, path, headers, NO_BODY);
  }

  public String method() {
    return method;
  }

  /** As the client wrote it, escapes and all, without what follows a question mark. */
  public String path() {
    return path;
  }

  /** The path with what follows a question mark: a query string, or part of the path after all. */
  public String target() {
    return target;
  }

  /** The value of a header, the first if there are several; null when there is none. */
  public @Nullable String header(String lowerCaseName) {
    return headers.get(lowerCaseName);
  }

  /** Whether a header is there and says true, in whatever case. */
  public boolean says(String lowerCaseName) {
    String value = header(lowerCaseName);
    return value != null && value.equalsIgnoreCase("true");
  }

  /** Shared, not to be changed; empty when there is none. */
  public byte[] body() {
    return body;
  }

  /** Whether its connection has ended, so that nobody waits for the reply. */
  public boolean abandoned() {
    return abandoned;
  }

  /** Notes that its connection has ended. */
  void abandon() {
    abandoned = true;
  }

  /** Whether it came through TLS. */
  public boolean secure() {
    return secure;
  }

  /** Host and port as the client knows them; empty when it does not say. */
  public String authority() {
    String host = header("host");
    return host == null ? "" : host;
  }

  public InetSocketAddress peer() {
    return peer;
  }
}
