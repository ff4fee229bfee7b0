package dev.mayfly.mongo.command;

import dev.mayfly.engine.Durability;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * How sure a client wants to be that its writes stay.
 *
 * @param durability what is waited for before the answer
 * @param servers how many are to have the write, itself included; 0 when it need not be answered
 * @param timeoutMillis how long the others may take; 0 for any time
 */
public record WriteConcern(Durability durability, int servers, long timeoutMillis) {
  /** What a request asks for; {@code otherwise} when it does not say. */
  public static WriteConcern of(Request request, Durability otherwise) {
    return of(request.document("writeConcern"), otherwise);
  }

  static WriteConcern of(Document asked, Durability otherwise) {
    Value w = asked.field("w");
    Value journal = asked.field("j");
    Value timeout = asked.field("wtimeout");
    long timeoutMillis = timeout.isNumber() ? (long) timeout.asDouble() : 0;
    boolean synced = journal.type() == Type.BOOLEAN && journal.asBoolean();
    if (w.type() == Type.STRING) {
      if (!w.asString().equals("majority")) {
        throw new CommandException(
            new ErrorCode(79, "UnknownReplWriteConcern"),
            "No write concern mode named '"
                + w.asString()
                + "' found in replica set configuration");
      }
      synced |= journal.isMissing() || journal.isNull();
    } else if (w.isNumber()) {
      if (w.asDouble() < 0 || w.asDouble() > 50) {
        throw new CommandException(
            ErrorCode.FAILED_TO_PARSE, "w has to be a non-negative number and not greater than 50");
      }
      return new WriteConcern(logged(synced), (int) w.asDouble(), timeoutMillis);
    } else if (!w.isMissing() && !w.isNull()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "w has to be a number, string, or object");
    } else if (journal.isMissing() || journal.isNull()) {
      return new WriteConcern(otherwise, 1, timeoutMillis);
    }
    return new WriteConcern(logged(synced), 1, timeoutMillis);
  }

  private static Durability logged(boolean synced) {
    return synced ? Durability.SYNCED : Durability.LOGGED;
  }

  /** False when more servers are to have the write than there are. */
  boolean satisfiable() {
    return servers <= 1;
  }

  /** False when the client does not want to know what became of its writes. */
  public boolean acknowledged() {
    return servers > 0 || durability == Durability.SYNCED;
  }

  /** Says in a reply that the writes were done, though not on as many servers as wanted. */
  public void report(DocumentWriter reply) {
    if (!satisfiable()) {
      reply
          .startDocument("writeConcernError")
          .put("code", 100)
          .put("codeName", "UnsatisfiableWriteConcern")
          .put("errmsg", "Not enough data-bearing nodes")
          .startDocument("errInfo")
          .startDocument("writeConcern")
          .put("w", servers)
          .put("wtimeout", timeoutMillis)
          .put("provenance", "clientSupplied")
          .end()
          .end()
          .end();
    }
  }
}
