package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

/** One document with a count; none if the count is zero. */
public final class CountRows implements Rows {
  private final LongSupplier count;
  private final LongFunction<Document> result;
  private final Rows input;
  private boolean done;
  private Document current = Document.EMPTY;

  private CountRows(LongSupplier count, LongFunction<Document> result, Rows input) {
    this.count = count;
    this.result = result;
    this.input = input;
  }

  /** Counts these rows. */
  public static Rows of(Rows input, LongFunction<Document> result) {
    return new CountRows(() -> drain(input), result, input);
  }

  /** Uses a count that is known without rows. */
  public static Rows of(LongSupplier count, LongFunction<Document> result) {
    return new CountRows(count, result, Rows.none());
  }

  /** Returns a count as the smallest integer type that holds it, as MongoDB does. */
  public static Value number(long count) {
    return count <= Integer.MAX_VALUE ? Value.of((int) count) : Value.of(count);
  }

  private static long drain(Rows rows) {
    long count = 0;
    while (rows.next()) {
      count++;
    }
    return count;
  }

  @Override
  public boolean next() {
    if (done) {
      return false;
    }
    done = true;
    long number = count.getAsLong();
    if (number == 0) {
      return false;
    }
    current = result.apply(number);
    return true;
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    input.close();
  }
}
