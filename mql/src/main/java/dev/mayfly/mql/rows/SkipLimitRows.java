package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;

/** Skips {@code skip} rows, then returns at most {@code limit}. */
public final class SkipLimitRows implements Rows {
  private final Rows input;
  private long toSkip;
  private long left;

  public SkipLimitRows(Rows input, long skip, long limit) {
    this.input = input;
    this.toSkip = skip;
    this.left = limit;
  }

  @Override
  public boolean next() {
    if (left == 0) {
      return false;
    }
    while (input.next()) {
      if (toSkip == 0) {
        left--;
        return true;
      }
      toSkip--;
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
