/**
 * HTTP/1.1 server on Netty: connections, TLS, limits and timeouts. It knows no protocol above HTTP
 * and serves the Cosmos door, the admin API and any other {@link dev.mayfly.http.Handler}.
 *
 * <p>A server with one handler:
 *
 * <pre>{@code
 * Handler hello =
 *     new Handler() {
 *       public Reply handle(Request request) {
 *         return new Reply(200).body("hello\n".getBytes(UTF_8), "text/plain; charset=utf-8");
 *       }
 *
 *       public Reply refuse(int status, String reason) {
 *         return new Reply(status).body((reason + "\n").getBytes(UTF_8), "text/plain");
 *       }
 *     };
 * HttpSettings settings = HttpSettings.standard().withName("hello").withAddress("127.0.0.1", 8080);
 * try (HttpServer server = HttpServer.open(settings, hello)) {
 *   server.port(); // clients can connect
 * }
 * }</pre>
 *
 * <p>Threads: {@code settings.loops()} event loops read and write all connections; a request that a
 * handler does not answer on the event loop ({@link dev.mayfly.http.Handler#tryHandle}, {@link
 * dev.mayfly.http.Handler#tryBegin}) gets a virtual thread. Handlers are called by many threads at
 * once; a request or reply belongs to one thread at a time. Several handlers on one port are
 * composed by a handler that looks at {@link dev.mayfly.http.Request#path}.
 *
 * <p>The only package that uses Netty; no type of Netty is in its public API.
 */
@NullMarked
package dev.mayfly.http;

import org.jspecify.annotations.NullMarked;
