package dev.mayfly.engine;

/**
 * What names a transaction: a session and its count.
 *
 * @param session names the session among all sessions; empty when the engine named the transaction
 * @param number grows from one transaction of the session to the next
 */
public record TransactionId(ByteKey session, long number) {
  /** No transaction. */
  public static final TransactionId NONE = new TransactionId(ByteKey.EMPTY, 0);

  /** Whether somebody may ask for the transaction by this name. */
  public boolean named() {
    return !session.isEmpty();
  }
}
