package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.accumulator.Accumulator;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Intermediate;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.query.sort.Sorter;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.KeyWriter;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;

/**
 * Rows of {@code $bucketAuto}: a given number of buckets of about the same size.
 *
 * <p>Equal values are never divided, so there may be fewer buckets. A bucket reaches from its
 * smallest value to the smallest value of the next, exclusive; the last one includes its largest
 * value. With a granularity, boundaries are numbers of its series, and they decide the contents of
 * a bucket.
 *
 * <p>Accumulators that depend on the order of documents see them in the order of the input, not of
 * the values.
 */
final class BucketAutoRows implements Rows {
  private static final int NO_NUMBER = 40258;
  private static final int NAN = 40259;
  private static final int NEGATIVE = 40260;

  private final Rows input;
  private final Stage.Buckets stage;
  private final Execution execution;
  private final Scope scope;
  private final boolean inOrder;
  private final Sorter sorter;
  private final KeyWriter key = new KeyWriter();
  private long documents;
  private boolean filled;
  private boolean more;
  private int buckets;
  private long gathered;
  private Optional<Value> lastBorder = Optional.empty();
  private Document current = Document.EMPTY;

  BucketAutoRows(Rows input, Stage.Buckets stage, Execution execution) {
    this.input = input;
    this.stage = stage;
    this.execution = execution;
    this.scope = execution.scope();
    this.inOrder = stage.gatherings().stream().anyMatch(BucketAutoRows::dependsOnOrder);
    this.sorter = new Sorter(execution.workspace(), Long.MAX_VALUE);
  }

  private static boolean dependsOnOrder(GroupField groupField) {
    return groupField.kind() == GroupField.Kind.KEEPS_IN_ORDER;
  }

  @Override
  public boolean next() {
    if (!filled) {
      fill();
    }
    if (!more) {
      return false;
    }
    current = bucket();
    return true;
  }

  private void fill() {
    filled = true;
    while (input.next()) {
      Document document = input.current();
      sorter.add(keyBytes(value(document), documents), document);
      documents++;
    }
    input.close();
    sorter.finish();
    more = sorter.next();
  }

  private Document bucket() {
    long size = Math.max(1, Math.round((double) documents / stage.count()));
    boolean last = ++buckets == stage.count();
    Accumulator[] accumulators = GroupField.startAll(stage.gatherings(), Value.MISSING, scope);
    gathered = 0;
    try (Sorter ordered = new Sorter(execution.workspace(), Long.MAX_VALUE)) {
      return bucket(size, last, accumulators, ordered);
    }
  }

  private Document bucket(long size, boolean last, Accumulator[] accumulators, Sorter ordered) {
    Value low = value(sorter.document());
    Value high = low;
    for (long i = 0; more && (i < size || last); i++) {
      high = take(accumulators, ordered);
    }
    Value lower = stage.granularity().isEmpty() ? low : lowerBorder(low);
    Value upper =
        stage.granularity().isEmpty()
            ? takeEqual(accumulators, ordered, high)
            : takeBelow(accumulators, ordered, high, stage.granularity().get());
    takeInOrder(accumulators, ordered);
    lastBorder = Optional.of(upper);
    return document(lower, upper, accumulators);
  }

  /** Adds the current document to the bucket and advances; returns its value. */
  private Value take(Accumulator[] accumulators, Sorter ordered) {
    Document document = sorter.document();
    Value value = value(document);
    gather(accumulators, document, false);
    if (inOrder) {
      byte[] sorted = sorter.key();
      ordered.add(Arrays.copyOfRange(sorted, sorted.length - Long.BYTES, sorted.length), document);
    }
    more = sorter.next();
    return value;
  }

  /** Adds the documents of a bucket to the accumulators that depend on their order. */
  private void takeInOrder(Accumulator[] accumulators, Sorter ordered) {
    ordered.finish();
    while (ordered.next()) {
      gather(accumulators, ordered.document(), true);
    }
  }

  private void gather(Accumulator[] accumulators, Document document, boolean ordered) {
    scope.root(document);
    for (int i = 0; i < accumulators.length; i++) {
      GroupField groupField = stage.gatherings().get(i);
      if (dependsOnOrder(groupField) == ordered) {
        gathered += groupField.add(accumulators[i], scope);
      }
    }
    if (gathered > Workspace.DEFAULT_BYTES) {
      throw ValueMemory.exceeded();
    }
  }

  private Value takeEqual(Accumulator[] accumulators, Sorter ordered, Value high) {
    while (more && compare(value(sorter.document()), high) == 0) {
      take(accumulators, ordered);
    }
    return more ? value(sorter.document()) : high;
  }

  private Value takeBelow(
      Accumulator[] accumulators, Sorter ordered, Value high, Granularity granularity) {
    Value border = granularity.roundUp(high);
    while (more && isBelow(value(sorter.document()), border.asDouble(), high)) {
      take(accumulators, ordered);
    }
    // Only zeros round to zero, which would leave the bucket without a width.
    boolean zero = border.asDouble() == 0 && more;
    return zero ? granularity.roundDown(value(sorter.document())) : border;
  }

  private boolean isBelow(Value value, double border, Value high) {
    return value.asDouble() < border || compare(value, high) == 0;
  }

  private Value lowerBorder(Value low) {
    return lastBorder.orElseGet(() -> stage.granularity().orElseThrow().roundDown(low));
  }

  private Value value(Document document) {
    Value value = stage.key().evaluate(scope.root(document));
    if (stage.granularity().isPresent()) {
      requireNumber(value);
    }
    return value.isMissing() ? Value.NULL : value;
  }

  private static void requireNumber(Value value) {
    if (!value.isNumber()) {
      throw new QueryException(
          Reason.WRONG_TYPE,
          NO_NUMBER,
          "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a"
              + " value that is no number");
    }
    if (value.isNaN()) {
      throw new QueryException(
          Reason.BAD_VALUE,
          NAN,
          "$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a NaN");
    }
    if (value.asDouble() < 0) {
      throw new QueryException(
          Reason.BAD_VALUE,
          NEGATIVE,
          "$bucketAuto can specify a 'granularity' with non-negative numbers only, but found a"
              + " negative number");
    }
  }

  private int compare(Value a, Value b) {
    return Order.MONGO.compare(execution.fold(a), execution.fold(b));
  }

  /** Returns the sort key of a document; it ends with the document's position in the input. */
  private byte[] keyBytes(Value value, long place) {
    byte[] folded = key.clear().append(execution.fold(value), Order.MONGO).bytes();
    return ByteBuffer.allocate(folded.length + Long.BYTES).put(folded).putLong(place).array();
  }

  private Document document(Value lower, Value upper, Accumulator[] accumulators) {
    DocumentWriter writer = Intermediate.writer();
    writer.startDocument("_id").put("min", lower).put("max", upper).end();
    GroupField.write(stage.gatherings(), accumulators, writer);
    return writer.build();
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    more = false;
    try (sorter) {
      input.close();
    }
  }
}
