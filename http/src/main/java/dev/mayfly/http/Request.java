package dev.mayfly.http;

import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaders;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** HTTP request, complete with its body. Immutable except for {@link #abandoned}. */
public final class Request {
  private static final byte[] NO_BODY = {};

  private final String method;
  private final String target;
  private final String path;
  private final HttpHeaders headers;
  private final byte[] body;
  private final boolean secure;
  private final InetSocketAddress peer;
  private final BooleanSupplier callerGone;
  private volatile boolean abandoned;

  Request(
      String method,
      String target,
      HttpHeaders headers,
      byte[] body,
      boolean secure,
      InetSocketAddress peer) {
    this(method, target, headers, body, secure, peer, () -> false);
  }

  private Request(
      String method,
      String target,
      HttpHeaders headers,
      byte[] body,
      boolean secure,
      InetSocketAddress peer,
      BooleanSupplier callerGone) {
    int question = target.indexOf('?');
    this.method = method;
    this.target = target;
    this.path = question < 0 ? target : target.substring(0, question);
    this.headers = headers;
    this.body = body;
    this.secure = secure;
    this.peer = peer;
    this.callerGone = callerGone;
  }

  /** Creates a request without a connection, for tests and internal calls. */
  public static Request of(String method, String path, Map<String, String> headers, byte[] body) {
    return of(method, path, headers, body, () -> false);
  }

  /**
   * As {@link #of(String, String, Map, byte[])}, for a caller that may stop waiting.
   *
   * @param gone whether it has stopped
   */
  public static Request of(
      String method, String path, Map<String, String> headers, byte[] body, BooleanSupplier gone) {
    DefaultHttpHeaders fields = new DefaultHttpHeaders();
    headers.forEach(fields::set);
    InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return new Request(method, path, fields, body, false, nowhere, gone);
  }

  /** As {@link #of(String, String, Map, byte[])}, without a body. */
  public static Request of(String method, String path, Map<String, String> headers) {
    return of(method, path, headers, NO_BODY);
  }

  public String method() {
    return method;
  }

  /** Returns the path as the client sent it, percent-encoded, without the query string. */
  public String path() {
    return path;
  }

  /** Returns the path and the query string as the client sent them. */
  public String target() {
    return target;
  }

  /** Returns the first value of a header; null if there is none. */
  public @Nullable String header(String lowerCaseName) {
    return headers.get(lowerCaseName);
  }

  /**
   * Passes all headers to a consumer, with their names in lower case; the first value of a header
   * that was sent several times.
   */
  public void headers(BiConsumer<String, String> each) {
    for (String name : headers.names()) {
      each.accept(name.toLowerCase(Locale.ROOT), String.valueOf(headers.get(name)));
    }
  }

  /** Whether a header has the value {@code true}, in any case. */
  public boolean isTrue(String lowerCaseName) {
    String value = header(lowerCaseName);
    return value != null && value.equalsIgnoreCase("true");
  }

  /** Returns the body, which must not be modified; empty if there is none. */
  public byte[] body() {
    return body;
  }

  /** Whether the client has disconnected. Long-running handlers check this and stop. */
  public boolean abandoned() {
    return abandoned || callerGone.getAsBoolean();
  }

  /** Records that the client has disconnected. */
  void abandon() {
    abandoned = true;
  }

  /** Whether the connection uses TLS. */
  public boolean secure() {
    return secure;
  }

  /** Returns the Host header; empty if there is none. */
  public String authority() {
    String host = header("host");
    return host == null ? "" : host;
  }

  /** Returns the address of the client. */
  public InetSocketAddress peer() {
    return peer;
  }
}
