package dev.mayfly.mongo.access;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Retry;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import java.util.Optional;

/**
 * The number that a session gave a command that it may send again.
 *
 * @param session the id of the session
 */
record SessionWrite(ByteKey session, long number) {
  /** What a request says, unless it is part of a transaction. */
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
    return new Retry(session, number, statement.number(), statement.kept());
  }
}
