package dev.mayfly.mql.update;

import java.util.function.Consumer;

/**
 * Context of an update besides the document.
 *
 * @param place index of the array element that matched the query, as {@link
 *     dev.mayfly.query.Matcher#place()} returns it, or {@link #NO_PLACE}
 * @param inserting whether the update creates the document
 * @param now time of the operation, in milliseconds since 1970
 * @param timestamp the same as a database timestamp
 * @param setWhole receives the path of each object or array that the update replaced as a whole;
 *     differences inside these are not reported
 */
public record UpdateContext(
    int place, boolean inserting, long now, long timestamp, Consumer<String> setWhole) {
  /** The query matched no array element. */
  public static final int NO_PLACE = -1;

  /** Returns the context for an existing document. */
  public static UpdateContext found(
      int place, long now, long timestamp, Consumer<String> setWhole) {
    return new UpdateContext(place, false, now, timestamp, setWhole);
  }

  /** Returns the context for a document that the update creates. */
  public static UpdateContext inserting(long now, long timestamp) {
    return new UpdateContext(NO_PLACE, true, now, timestamp, _ -> {});
  }
}
