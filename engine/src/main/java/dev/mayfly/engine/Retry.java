package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.function.Function;

/**
 * What lets a write be sent again without being done again: the session and its count of writes.
 *
 * <p>What became of each write of the highest number of a session is kept with what it wrote, until
 * the session moves on or has been idle for long. Sending it again gives {@link
 * WriteOutcome.Repeated}. Failures are not kept: what has failed is tried again.
 *
 * @param session names the session among all sessions
 * @param number grows from one command of the session to the next
 * @param firstStatement tells the first write of the group from others of the same number; those
 *     behind it count on from there
 * @param reply what the caller wants to be told again beside the kind of outcome; called under the
 *     shard's lock
 */
public record Retry(
    ByteKey session, long number, int firstStatement, Function<WriteOutcome, Document> reply) {
  /** A retry that needs to be told no more than the kind of outcome. */
  public Retry(ByteKey session, long number, int firstStatement) {
    this(session, number, firstStatement, _ -> Document.EMPTY);
  }

  /** The same for a write further on in the group. */
  public Retry from(int index) {
    return new Retry(session, number, firstStatement + index, reply);
  }
}
