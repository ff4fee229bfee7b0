package dev.mayfly.engine;

/**
 * Id of a transaction: a session and a number.
 *
 * @param session unique among all sessions; empty for a transaction without an id
 * @param number grows from one transaction of the session to the next
 */
public record TransactionId(ByteKey session, long number) {
  /** No transaction. */
  public static final TransactionId NONE = new TransactionId(ByteKey.EMPTY, 0);

  /** Returns whether a client can refer to the transaction. */
  public boolean named() {
    return !session.isEmpty();
  }
}
