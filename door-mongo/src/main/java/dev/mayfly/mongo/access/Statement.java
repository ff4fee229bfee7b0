package dev.mayfly.mongo.access;

import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.value.Document;
import java.util.function.Function;

/**
 * Statement id of writes, which identifies them in a retry of the command.
 *
 * @param number the id of the first write, the next writes have the next numbers; negative in
 *     {@link #NONE}
 * @param reply returns the part of an outcome that a retry needs in addition to its kind; it is
 *     stored with the write
 */
public record Statement(int number, Function<WriteOutcome, Document> reply) {
  /** Writes that are not retryable: a second request executes them again. */
  public static final Statement NONE = new Statement(-1);

  /** A statement for which a retry needs only the kind of its outcome. */
  public Statement(int number) {
    this(number, _ -> Document.EMPTY);
  }

  boolean retryable() {
    return number >= 0;
  }
}
