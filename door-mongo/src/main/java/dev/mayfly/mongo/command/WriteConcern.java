package dev.mayfly.mongo.command;

import dev.mayfly.engine.Durability;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Write concern of a request.
 *
 * @param durability of a write when it is acknowledged
 * @param servers the number of servers that must have the write ({@code w}); 0 for unacknowledged
 * @param timeoutMillis {@code wtimeout}; 0 for no limit
 */
public record WriteConcern(Durability durability, int servers, long timeoutMillis) {
  /** The write concern of a request; {@code otherwise} is the durability without one. */
  public static WriteConcern of(Request request, Durability otherwise) {
    return of(request.document("writeConcern"), otherwise);
  }

  static WriteConcern of(Document requested, Durability otherwise) {
    Value w = requested.field("w");
    Value journal = requested.field("j");
    Value timeout = requested.field("wtimeout");
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

  /** Whether there are enough servers: there is one. */
  boolean satisfiable() {
    return servers <= 1;
  }

  /** False for {@code w: 0} without {@code j: true}: the reply contains no results. */
  public boolean acknowledged() {
    return servers > 0 || durability == Durability.SYNCED;
  }

  /** Writes a {@code writeConcernError} if there are not enough servers; the writes are done. */
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
