package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.function.Function;

/**
 * Id of a retryable write: a session, the number of its command and a statement.
 *
 * <p>The outcomes of the newest command of a session are stored with its writes, until the next
 * command or a long idle time. A write that is sent again returns {@link WriteOutcome.Repeated}.
 * Failures are not stored: a failed write is tried again.
 *
 * <pre>{@code
 * Retry retry = new Retry(session, 7, 0);
 * things.write(List.of(insert), Grouping.ATOMIC, Durability.SYNCED, retry);  // Inserted
 * things.write(List.of(insert), Grouping.ATOMIC, Durability.SYNCED, retry);  // Repeated
 * }</pre>
 *
 * @param session unique among all sessions
 * @param number grows from one command of the session to the next
 * @param firstStatement the statement of the first write of the call; the others follow
 * @param reply returns what is to be stored with the kind of outcome; called under the shard's lock
 */
public record Retry(
    ByteKey session, long number, int firstStatement, Function<WriteOutcome, Document> reply) {
  /** A retry that stores only the kind of outcome. */
  public Retry(ByteKey session, long number, int firstStatement) {
    this(session, number, firstStatement, _ -> Document.EMPTY);
  }

  /** Returns the same for a later write of the call. */
  public Retry from(int index) {
    return new Retry(session, number, firstStatement + index, reply);
  }
}
