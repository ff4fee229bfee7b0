package dev.mayfly.mongo.change;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;

/** Events of which none may be larger than a document. */
record WholeEvents(Rows events) implements Rows {
  @Override
  public boolean next() {
    boolean found = events.next();
    if (found && current().length() > EventFragments.MOST_BYTES) {
      throw new CommandException(
          ErrorCode.BSON_OBJECT_TOO_LARGE,
          "an event of "
              + current().length()
              + " bytes is too large; $changeStreamSplitLargeEvent at the end of the pipeline"
              + " would tell it in fragments");
    }
    return found;
  }

  @Override
  public Document current() {
    return events.current();
  }

  @Override
  public void close() {
    events.close();
  }
}
