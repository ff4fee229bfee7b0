package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.http.FilterHandler;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.util.function.Supplier;

/**
 * Serves the certificate that clients must trust, where users of the Cosmos DB emulator look for
 * it, and passes all other requests on. It needs no key: a handshake shows the certificate to
 * everybody.
 */
final class CertificateHandler extends FilterHandler {
  private static final String PATH = "/_explorer/emulator.pem";

  private final Supplier<String> pem;

  CertificateHandler(Handler next, Supplier<String> pem) {
    super(next);
    this.pem = pem;
  }

  @Override
  protected boolean isMine(Request request) {
    return request.path().equals(PATH) && request.method().equals("GET");
  }

  @Override
  protected Reply handleMine(Request request) {
    return new Reply(200).body(pem.get().getBytes(US_ASCII), "application/x-pem-file");
  }
}
