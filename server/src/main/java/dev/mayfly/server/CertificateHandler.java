package dev.mayfly.server;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.mayfly.http.Handler;
import dev.mayfly.http.PendingReply;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Serves the certificate that clients must trust, where users of the Cosmos DB emulator look for
 * it, and passes all other requests on. It needs no key: a handshake shows the certificate to
 * everybody.
 */
final class CertificateHandler implements Handler {
  private static final String PATH = "/_explorer/emulator.pem";

  private final Handler next;
  private final Supplier<String> pem;

  CertificateHandler(Handler next, Supplier<String> pem) {
    this.next = next;
    this.pem = pem;
  }

  private static boolean isMine(Request request) {
    return request.path().equals(PATH) && request.method().equals("GET");
  }

  @Override
  public Reply handle(Request request) {
    return isMine(request)
        ? new Reply(200).body(pem.get().getBytes(US_ASCII), "application/x-pem-file")
        : next.handle(request);
  }

  @Override
  public Optional<Reply> tryHandle(Request request) {
    return isMine(request) ? Optional.empty() : next.tryHandle(request);
  }

  @Override
  public Optional<PendingReply> tryBegin(Request request) {
    return isMine(request) ? Optional.empty() : next.tryBegin(request);
  }

  @Override
  public int maxBodyBytes(String target, int defaultBytes) {
    return next.maxBodyBytes(target, defaultBytes);
  }

  @Override
  public Reply refuse(int status, String reason) {
    return next.refuse(status, reason);
  }
}
