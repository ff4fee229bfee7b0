package dev.mayfly.mql.update;

import java.util.function.Consumer;

/**
 * What an update needs to know beside the document.
 *
 * @param place the place of the array element by which the document was found, as {@link
 *     dev.mayfly.query.Matcher#place()} says it, or {@link #NO_PLACE}
 * @param inserting true when the document is made by the update, false when it was found
 * @param now the one instant of the operation, in milliseconds since 1970
 * @param timestamp the same as a timestamp of the database
 * @param setWhole is told the path of each object and array that another takes the place of, as a
 *     whole: what differs within them is nobody's wish
 */
public record UpdateContext(
    int place, boolean inserting, long now, long timestamp, Consumer<String> setWhole) {
  /** No array was looked into. */
  public static final int NO_PLACE = -1;

  /** For a document that was found. */
  public static UpdateContext found(
      int place, long now, long timestamp, Consumer<String> setWhole) {
    return new UpdateContext(place, false, now, timestamp, setWhole);
  }

  /** For a document that is being made. */
  public static UpdateContext inserting(long now, long timestamp) {
    return new UpdateContext(NO_PLACE, true, now, timestamp, _ -> {});
  }
}
