package dev.mayfly.mongo.session;

import dev.mayfly.engine.ByteKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Transaction;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.Set;

/** The open multi-document transactions of sessions. Safe for many threads. */
public final class Transactions {
  private static final Set<String> ALLOWED =
      Set.of(
          "find",
          "getMore",
          "killCursors",
          "insert",
          "update",
          "delete",
          "findAndModify",
          "findandmodify",
          "aggregate",
          "distinct",
          "bulkWrite",
          "create",
          "createIndexes",
          "commitTransaction",
          "abortTransaction");

  private static final Set<String> END_COMMANDS = Set.of("commitTransaction", "abortTransaction");

  private final Engine engine;
  private final Sessions sessions;
  private final EndListener endListener;

  /**
   * No open transactions.
   *
   * @param endListener is called for each transaction before it ends
   */
  public Transactions(Engine engine, Sessions sessions, EndListener endListener) {
    this.engine = engine;
    this.sessions = sessions;
    this.endListener = endListener;
  }

  /** Called before a transaction commits or aborts, for example to close its cursors. */
  @FunctionalInterface
  public interface EndListener {
    void beforeEnd(Document lsid, long number);
  }

  /** An open transaction of a session. */
  private final class Open implements Session.Held {
    private final Session session;
    private final long number;
    private final Transaction transaction;

    Open(Request request, Session session, long number) {
      this.session = session;
      this.number = number;
      this.transaction = engine.begin(request.operation(), id(session, number));
    }

    long number() {
      return number;
    }

    Transaction transaction() {
      return transaction;
    }

    @Override
    public void close() {
      endListener.beforeEnd(session.lsid(), number);
      transaction.abort();
    }
  }

  /** Whether a request is part of a transaction. */
  public static boolean includes(Request request) {
    Value autocommit = request.body().field("autocommit");
    return autocommit.type() == Type.BOOLEAN && !autocommit.asBoolean();
  }

  /**
   * Opens the transaction that a request starts; for any other request checks that it may run in
   * its transaction and that this is open.
   *
   * @throws CommandException OPERATION_NOT_SUPPORTED_IN_TRANSACTION, NO_SUCH_TRANSACTION
   */
  public void enter(Request request) {
    checkAllowed(request);
    if (request.flag("startTransaction", false)) {
      start(request);
    } else if (!END_COMMANDS.contains(request.name())) {
      of(request);
    }
  }

  /** Whether a request commits or aborts a transaction. */
  public static boolean ends(Request request) {
    return END_COMMANDS.contains(request.name());
  }

  /**
   * Fails if a command cannot run in a transaction.
   *
   * @throws CommandException OPERATION_NOT_SUPPORTED_IN_TRANSACTION
   */
  public static void checkAllowed(Request request) {
    if (!ALLOWED.contains(request.name())) {
      throw new CommandException(
          ErrorCode.OPERATION_NOT_SUPPORTED_IN_TRANSACTION,
          "Cannot run '" + request.name() + "' in a multi-document transaction.");
    }
  }

  private void start(Request request) {
    Session session = session(request);
    long number = number(request);
    Optional<Open> open = held(session);
    if (open.isPresent() && open.get().number() >= number) {
      throw new CommandException(
          open.get().number() == number
              ? ErrorCode.CONFLICTING_OPERATION_IN_PROGRESS
              : ErrorCode.TRANSACTION_TOO_OLD,
          "Cannot start transaction with transaction number "
              + number
              + " on a session that has transaction number "
              + open.get().number());
    }
    session.release().ifPresent(Session.Held::close);
    session.hold(new Open(request, session, number));
  }

  /** The transaction of a request, if any; fails if it is not open. */
  public Optional<Transaction> of(Request request) {
    if (!includes(request)) {
      return Optional.empty();
    }
    Session session = session(request);
    long number = number(request);
    return Optional.of(
        held(session)
            .filter(open -> open.number() == number)
            .map(Open::transaction)
            .filter(transaction -> transaction.open(request.operation()))
            .orElseThrow(() -> missing(number)));
  }

  /** Whether the transaction of a request has written; false without a transaction. */
  public boolean wrote(Request request) {
    return includes(request)
        && held(session(request))
            .filter(open -> open.number() == number(request))
            .filter(open -> open.transaction().wrote())
            .isPresent();
  }

  /** Commits the transaction of a request; a repeated commit succeeds. */
  void commit(Request request, Durability durability) {
    Session session = session(request);
    long number = number(request);
    Optional<Open> open = held(session).filter(one -> one.number() == number);
    if (open.isPresent()) {
      session.release();
      endListener.beforeEnd(session.lsid(), number);
      open.get().transaction().commit(request.operation(), durability);
    } else if (!engine.committed(id(session, number))) {
      throw missing(number);
    }
  }

  /** Aborts the transaction of a request. */
  void abort(Request request) {
    Session session = session(request);
    long number = number(request);
    if (held(session).filter(one -> one.number() == number).isEmpty()) {
      throw missing(number);
    }
    session.release().ifPresent(Session.Held::close);
  }

  /** Aborts the transaction of a request that failed, unless it was a commit or abort. */
  public void failed(Request request) {
    if (!END_COMMANDS.contains(request.name())) {
      abortIfOpen(request);
    }
  }

  /** Aborts the transaction of a request, but not a later one of its session. */
  private void abortIfOpen(Request request) {
    Session session = session(request);
    long number = number(request);
    if (held(session).filter(open -> open.number() == number).isPresent()) {
      session.release().ifPresent(Session.Held::close);
    }
  }

  private Session session(Request request) {
    return sessions
        .of(request)
        .orElseThrow(
            () ->
                new CommandException(
                    ErrorCode.INVALID_OPTIONS, "a transaction needs a session: lsid is missing"));
  }

  private static Optional<Open> held(Session session) {
    return session.held().filter(Open.class::isInstance).map(Open.class::cast);
  }

  private static TransactionId id(Session session, long number) {
    return new TransactionId(ByteKey.of(session.lsid().bytes()), number);
  }

  private static long number(Request request) {
    Value number = request.body().field("txnNumber");
    if (number.type() != Type.INT64) {
      throw new CommandException(
          ErrorCode.INVALID_OPTIONS, "a transaction needs a number: txnNumber is missing");
    }
    return number.asLong();
  }

  /** The failure of a request whose transaction is not open. */
  public static CommandException missing(Request request) {
    return missing(number(request));
  }

  private static CommandException missing(long number) {
    return new CommandException(
        ErrorCode.NO_SUCH_TRANSACTION,
        "Given transaction number " + number + " does not match any in-progress transactions.");
  }
}
