package dev.mayfly.mongo.access;

import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.value.Document;
import java.util.function.Function;

/**
 * Which statement of a command writes belong to, so that the command can be sent again.
 *
 * @param number that of the first write, those behind it count on; {@link #NONE} has none
 * @param kept what a repeated command needs to know of an outcome beside its kind
 */
public record Statement(int number, Function<WriteOutcome, Document> kept) {
  /** Writes that are done again when they are sent again. */
  public static final Statement NONE = new Statement(-1);

  /** A statement of which the kind of outcome says enough. */
  public Statement(int number) {
    this(number, _ -> Document.EMPTY);
  }

  boolean repeatable() {
    return number >= 0;
  }
}
