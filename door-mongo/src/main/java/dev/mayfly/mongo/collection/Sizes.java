package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Usage;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.Value;

/**
 * What collections weigh.
 *
 * @param live documents that are live, and their bytes
 * @param stored bytes on disk, with indexes, changes and what is not swept yet
 */
public record Sizes(Usage live, long stored) {
  public static final Sizes NONE = new Sizes(Usage.NONE, 0);

  public static Sizes of(Collection collection) {
    return new Sizes(collection.usage(), collection.bytesOnDisk());
  }

  public Sizes plus(Sizes other) {
    return new Sizes(live.plus(other.live), stored + other.stored);
  }

  public long average() {
    return live.documents() == 0 ? 0 : live.bytes() / live.documents();
  }

  /** By how much a client wants sizes divided. */
  public static long scale(Request request) {
    return scale(request.number("scale", 1));
  }

  /** The same number, checked. */
  public static long scale(long scale) {
    if (scale < 1) {
      throw new CommandException(
          ErrorCode.location(51024),
          "BSON field 'scale' value must be >= 1, actual value '" + scale + "'");
    }
    return scale;
  }

  /** A number in as few bytes as MongoDB uses. */
  public static Value number(long number) {
    return number == (int) number ? Value.of((int) number) : Value.of(number);
  }
}
