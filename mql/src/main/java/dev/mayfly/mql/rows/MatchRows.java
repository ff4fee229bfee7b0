package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;
import java.util.function.Predicate;

/** Rows that match a predicate. */
public final class MatchRows implements Rows {
  private final Rows input;
  private final Predicate<Document> test;

  public MatchRows(Rows input, Predicate<Document> test) {
    this.input = input;
    this.test = test;
  }

  @Override
  public boolean next() {
    while (input.next()) {
      if (test.test(input.current())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Document current() {
    return input.current();
  }

  @Override
  public void close() {
    input.close();
  }
}
