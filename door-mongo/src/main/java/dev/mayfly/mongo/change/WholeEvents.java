package dev.mayfly.mongo.change;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;

/** Change events without a split; fails if one exceeds the document size limit. */
record WholeEvents(Rows events) implements Rows {
  @Override
  public boolean next() {
    boolean found = events.next();
    if (found && current().length() > EventFragments.MAX_BYTES) {
      throw new CommandException(
          ErrorCode.BSON_OBJECT_TOO_LARGE,
          "a change event of "
              + current().length()
              + " bytes is too large: use $changeStreamSplitLargeEvent at the end of the pipeline"
              + " to split it");
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
