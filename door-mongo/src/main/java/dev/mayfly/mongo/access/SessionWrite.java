package dev.mayfly.mongo.access;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import java.util.Optional;

/**
 * Session and {@code txnNumber} of a retryable write.
 *
 * @param session the bytes of the {@code lsid}
 * @param number the {@code txnNumber}
 */
record SessionWrite(ByteKey session, long number) {
  /** The session write of a request; empty if it is not retryable or is part of a transaction. */
  static Optional<SessionWrite> of(Request request) {
    if (request.body().field("txnNumber").type() != Type.INT64 || request.has("autocommit")) {
      return Optional.empty();
    }
    Optional<Document> session = request.session();
    return session.map(
        lsid ->
            new SessionWrite(ByteKey.of(lsid.bytes()), request.body().field("txnNumber").asLong()));
  }

  Retry of(Statement statement) {
    return new Retry(session, number, statement.number(), statement.reply());
  }
}
