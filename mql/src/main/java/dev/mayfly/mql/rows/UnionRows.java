package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;

/** All rows of one input, then all rows of another. */
public final class UnionRows implements Rows {
  private final Rows first;
  private final Rows second;
  private boolean inSecond;

  public UnionRows(Rows first, Rows second) {
    this.first = first;
    this.second = second;
  }

  @Override
  public boolean next() {
    if (!inSecond) {
      if (first.next()) {
        return true;
      }
      inSecond = true;
      first.close();
    }
    return second.next();
  }

  @Override
  public Document current() {
    return inSecond ? second.current() : first.current();
  }

  @Override
  public void close() {
    try (second) {
      first.close();
    }
  }
}
