package dev.mayfly.mongo.change;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Change events after the stages of a pipeline; fails if a stage has changed the resume token.
 *
 * @param shaped the events after the stages, one for each event
 * @param events the events before the stages
 */
record ResumableEvents(Rows shaped, Rows events) implements Rows {
  @Override
  public boolean next() {
    boolean found = shaped.next();
    if (found && !token(shaped).equals(token(events))) {
      throw new CommandException(
              ErrorCode.CHANGE_STREAM_FATAL_ERROR,
              "Encountered an event whose _id field, which contains the resume token, was modified"
                  + " by the pipeline. Modifying the _id field of an event makes it impossible to"
                  + " resume the stream from that point. Only transformations that retain the"
                  + " unmodified _id field are allowed. Expected: "
                  + text(events)
                  + " but found: "
                  + text(shaped))
          .labelled(List.of("NonResumableChangeStreamError"));
    }
    return found;
  }

  private static Value token(Rows rows) {
    return rows.current().field("_id");
  }

  private static String text(Rows rows) {
    return ShellText.of(Document.writer().put("_id", token(rows)).build());
  }

  @Override
  public Document current() {
    return shaped.current();
  }

  @Override
  public void close() {
    shaped.close();
  }
}
