package dev.mayfly.mongo.cursor;

import dev.mayfly.mongo.command.Identity;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;

/**
 * Owner of a cursor: only requests of the same user, session and transaction may continue it.
 *
 * @param session the id of the session; missing for none
 * @param transaction the number of the transaction; missing for none
 */
record Owner(Optional<Identity> user, Value session, Value transaction) {
  /** The owner of the cursors that a request creates. */
  static Owner of(Request request) {
    boolean inTransaction = request.field("autocommit").type() == Type.BOOLEAN;
    return new Owner(
        request.client().identity(),
        copy(request.session().map(lsid -> lsid.field("id")).orElse(Value.MISSING)),
        inTransaction ? copy(request.field("txnNumber")) : Value.MISSING);
  }

  /** A copy, so that the cursor does not keep the whole message in memory. */
  private static Value copy(Value value) {
    return Document.writer().put("copy", value).build().field("copy");
  }

  /** Fails if a request has another owner. */
  void check(Request request, long cursor) {
    Owner other = of(request);
    if (!other.user.equals(user)) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED,
          "cursor id " + cursor + " was not created by the authenticated user");
    }
    check(cursor, "session", session, other.session, 50736);
    check(cursor, "transaction", transaction, other.transaction, 50739);
  }

  /**
   * The three error codes from the first: only the request has it, only the cursor, or they differ.
   */
  private static void check(long cursor, String what, Value own, Value other, int firstNumber) {
    if (own.equals(other)) {
      return;
    }
    int number = firstNumber + (own.isMissing() ? 0 : other.isMissing() ? 1 : 2);
    throw new CommandException(
        ErrorCode.location(number),
        "Cannot run getMore on cursor "
            + cursor
            + ", which was created in "
            + named(what, own)
            + ", in "
            + named(what, other));
  }

  private static String named(String what, Value value) {
    return value.isMissing() ? "no " + what : what + " " + ShellText.of(value);
  }
}
