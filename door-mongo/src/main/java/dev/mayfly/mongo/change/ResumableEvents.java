package dev.mayfly.mongo.change;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Events that a pipeline has shaped, and left the tokens by which the stream can be resumed.
 *
 * @param shaped made of the events one by one
 * @param events as they were
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
                  + shown(events)
                  + " but found: "
                  + shown(shaped))
          .labelled(List.of("NonResumableChangeStreamError"));
    }
    return found;
  }

  private static Value token(Rows rows) {
    return rows.current().field("_id");
  }

  private static String shown(Rows rows) {
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
