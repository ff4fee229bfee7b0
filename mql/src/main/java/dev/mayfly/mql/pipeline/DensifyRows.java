package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.pipeline.Stage.Extent;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Rows of {@code $densify}: the input, sorted by a field, and documents for the missing values.
 *
 * <p>Keeps only the next expected value of each series. Documents without the field, or outside the
 * bounds, pass unchanged.
 */
final class DensifyRows implements Rows {
  /** Maximum number of generated documents, as in MongoDB. */
  private static final int MOST = 500_000;

  /** Approximate memory of a series. */
  private static final int SERIES_BYTES = 256;

  private final Rows input;
  private final Stage.Densify stage;
  private final QueryMemory.Holding memory;
  private final Map<ByteBuffer, Series> series = new LinkedHashMap<>();
  private Iterator<Series> unfinished = List.<Series>of().iterator();
  private boolean ended;
  private @Nullable Series filling;
  private Value until = Value.MISSING;
  private boolean untilIncluded;
  private @Nullable Document held;
  private Value least = Value.MISSING;
  private Value greatest = Value.MISSING;
  private int made;
  private long kept;
  private Document current = Document.EMPTY;

  DensifyRows(Rows input, Stage.Densify stage, Workspace workspace) {
    this.input = input;
    this.stage = stage;
    this.memory = workspace.holding();
  }

  /** One series of values. */
  private static final class Series {
    private final Document partition;
    private Value next;

    Series(Document partition, Value next) {
      this.partition = partition;
      this.next = next;
    }
  }

  @Override
  public boolean next() {
    while (true) {
      if (filling != null && fill(filling)) {
        return true;
      }
      if (held != null) {
        current = held;
        held = null;
        return true;
      }
      if (!ended && input.next()) {
        look(input.current());
      } else if (!finishNext()) {
        return false;
      }
    }
  }

  /**
   * Generates the next document of a series; returns false if none comes before the current value.
   */
  private boolean fill(Series of) {
    int order = Order.MONGO.compare(of.next, until);
    if (order < 0 || (order == 0 && untilIncluded)) {
      current = new FieldSetter(stage.field()).put(of.partition, of.next);
      of.next = stage.stride().after(of.next);
      countMade();
      return true;
    }
    if (order == 0 && held != null) {
      of.next = stage.stride().after(of.next);
    }
    filling = null;
    return false;
  }

  private void countMade() {
    if (++made > MOST) {
      throw new QueryException(
          Reason.LIMIT_EXCEEDED,
          5897900,
          "Generated " + made + " documents in $densify, which is over the limit of " + MOST + ".");
    }
  }

  private void look(Document document) {
    held = document;
    Value value = document.at(stage.field());
    if (value.isMissing() || value.isNull() || value.type() == Type.UNDEFINED) {
      return;
    }
    requireFit(value);
    least = least.isMissing() ? value : least;
    greatest = value;
    if (stage.extent() instanceof Extent.Between(Value low, Value high)) {
      // Documents above the bounds come after all generated ones, those below before.
      if (Order.MONGO.compare(value, low) >= 0) {
        fillUntil(Order.MONGO.compare(value, high) < 0 ? value : high, series(document, value));
      }
    } else {
      fillUntil(value, series(document, value));
    }
  }

  private void fillUntil(Value value, Series of) {
    filling = of;
    until = value;
    untilIncluded = false;
  }

  private void requireFit(Value value) {
    boolean dates = stage.stride().unit().isPresent();
    boolean date = value.type() == Type.DATE;
    if (!date && !value.isNumber()) {
      throw new QueryException(
          Reason.WRONG_TYPE, 5733201, "Densify field type must be numeric or a date");
    }
    if (dates != date) {
      String how =
          dates
              ? "numeric densify value in collection when step has a date unit."
              : "date densify value in collection when step does not have a date unit.";
      throw new QueryException(Reason.WRONG_TYPE, 6053600, "Encountered " + how);
    }
  }

  private Series series(Document document, Value value) {
    KeyWriter key = new KeyWriter();
    for (FieldPath path : stage.partition()) {
      key.append(document.at(path), Order.MONGO);
    }
    return series.computeIfAbsent(
        ByteBuffer.wrap(key.bytes()), _ -> begun(partition(document), first(value)));
  }

  private Series begun(Document partition, Value first) {
    kept += SERIES_BYTES + 2L * partition.length();
    if (!memory.hold(kept)) {
      throw ValueMemory.exceeded();
    }
    return new Series(partition, first);
  }

  private Value first(Value value) {
    return switch (stage.extent()) {
      case Extent.Full() -> least;
      case Extent.Series() -> value;
      case Extent.Between(Value low, _) -> low;
    };
  }

  /** Returns the fields that all documents of a series share. */
  private Document partition(Document document) {
    Document shared = Document.EMPTY;
    for (FieldPath path : stage.partition()) {
      shared = new FieldSetter(path).put(shared, document.at(path));
    }
    return shared;
  }

  /**
   * Continues with the missing values at the ends of the series; returns false if none are left.
   */
  private boolean finishNext() {
    if (!ended) {
      ended = true;
      unfinished = ends();
    }
    if (!unfinished.hasNext()) {
      return false;
    }
    filling = unfinished.next();
    return true;
  }

  private Iterator<Series> ends() {
    List<Series> all = new ArrayList<>(series.values());
    return switch (stage.extent()) {
      case Extent.Series() -> List.<Series>of().iterator();
      case Extent.Full() -> {
        until = greatest;
        untilIncluded = true;
        yield all.iterator();
      }
      case Extent.Between(Value low, Value high) -> {
        until = high;
        untilIncluded = false;
        if (all.isEmpty() && stage.partition().isEmpty()) {
          all.add(new Series(Document.EMPTY, low));
        }
        yield all.iterator();
      }
    };
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    memory.close();
    input.close();
  }
}
