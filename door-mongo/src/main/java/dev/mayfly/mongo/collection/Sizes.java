package dev.mayfly.mongo.collection;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.Map;

/**
 * What collections weigh.
 *
 * @param live documents that are live, and their bytes
 * @param stored bytes on disk, with indexes, changes and what is not swept yet; an estimate
 * @param indexes how much of it is that of each index, by their names
 */
public record Sizes(Usage live, long stored, Map<String, Long> indexes) {
  public static final Sizes NONE = new Sizes(Usage.NONE, 0, Map.of());

  public Sizes {
    indexes = Map.copyOf(indexes);
  }

  public static Sizes of(Collection collection) {
    Map<String, Long> indexes = new HashMap<>();
    for (IndexSpec index : collection.spec().indexes()) {
      indexes.put(index.name(), collection.bytesOnDisk(index.name()));
    }
    return new Sizes(collection.usage(), collection.bytesOnDisk(), indexes);
  }

  /** Bytes on disk of all indexes. */
  public long ofIndexes() {
    return indexes.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Bytes on disk of all the rest. */
  public long ofDocuments() {
    return Math.max(0, stored - ofIndexes());
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
      throw CommandException.outOfBounds("scale", ">= 1", scale);
    }
    return scale;
  }

  /** A number in as few bytes as MongoDB uses. */
  public static Value number(long number) {
    return number == (int) number ? Value.of((int) number) : Value.of(number);
  }
}
