package dev.mayfly.mongo.schema;

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
record Sizes(Usage live, long stored) {
  static final Sizes NONE = new Sizes(Usage.NONE, 0);

  static Sizes of(Collection collection) {
    return new Sizes(collection.usage(), collection.bytesOnDisk());
  }

  Sizes plus(Sizes other) {
    return new Sizes(live.plus(other.live), stored + other.stored);
  }

  long average() {
    return live.documents() == 0 ? 0 : live.bytes() / live.documents();
  }

  /** By how much a client wants sizes divided. */
  static long scale(Request request) {
    long scale = request.number("scale", 1);
    if (scale < 1) {
      throw new CommandException(
          ErrorCode.location(51024),
          "BSON field 'scale' value must be >= 1, actual value '" + scale + "'");
    }
    return scale;
  }

  /** A number in as few bytes as MongoDB uses. */
  static Value number(long number) {
    return number == (int) number ? Value.of((int) number) : Value.of(number);
  }
}
