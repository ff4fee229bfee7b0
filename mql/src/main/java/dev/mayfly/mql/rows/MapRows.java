package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;
import java.util.function.UnaryOperator;

/** Rows with a function applied to each document. */
public final class MapRows implements Rows {
  private final Rows input;
  private final UnaryOperator<Document> step;
  private Document current = Document.EMPTY;

  public MapRows(Rows input, UnaryOperator<Document> step) {
    this.input = input;
    this.step = step;
  }

  @Override
  public boolean next() {
    if (!input.next()) {
      return false;
    }
    current = step.apply(input.current());
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
