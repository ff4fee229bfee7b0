package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * Sizes of a collection in bytes.
 *
 * @param live number and bytes of the live documents
 * @param stored bytes on disk with indexes, change feed and expired documents that are not swept
 *     yet; an estimate
 * @param indexes bytes on disk of each index, by index name
 */
public record Sizes(Usage live, long stored, Map<String, Long> indexes) {
  public static final Sizes NONE = new Sizes(Usage.NONE, 0, Map.of());

  public Sizes {
    indexes = Map.copyOf(indexes);
  }

  /** Reads the current sizes; live documents are those at the instant of an operation. */
  public static Sizes of(OperationContext operation, Collection collection) {
    Map<String, Long> indexes = new HashMap<>();
    for (IndexSpec index : collection.spec().indexes()) {
      indexes.put(index.name(), collection.bytesOnDisk(index.name()));
    }
    return new Sizes(collection.usage(operation), collection.bytesOnDisk(), indexes);
  }

  /** Bytes on disk of all indexes. */
  public long ofIndexes() {
    return indexes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Bytes on disk of everything but the indexes. */
  public long ofDocuments() {
    return Math.max(0, stored - ofIndexes());
  }

  public long average() {
    return live.documents() == 0 ? 0 : live.bytes() / live.documents();
  }

  /**
   * Returns the {@code scale} of a request, by which sizes are divided.
   *
   * @throws CommandException if it is less than 1
   */
  public static long scale(Request request) {
    return scale(request.number("scale", 1));
  }

  /**
   * Returns the scale.
   *
   * @throws CommandException if it is less than 1
   */
  public static long scale(long scale) {
    if (scale < 1) {
      throw CommandException.outOfBounds("scale", ">= 1", scale);
    }
    return scale;
  }

  /** Returns a 32-bit number if the value fits, else a 64-bit number, as MongoDB does. */
  public static Value number(long number) {
    return number == (int) number ? Value.of((int) number) : Value.of(number);
  }
}
