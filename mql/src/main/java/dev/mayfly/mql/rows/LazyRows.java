package dev.mayfly.mql.rows;

import dev.mayfly.value.Document;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Rows that are opened by the first {@link #next}. */
public final class LazyRows implements Rows {
  private final Supplier<Rows> source;
  private @Nullable Rows rows;
  private boolean closed;

  public LazyRows(Supplier<Rows> source) {
    this.source = source;
  }

  @Override
  public boolean next() {
    return !closed && opened().next();
  }

  @Override
  public Document current() {
    return opened().current();
  }

  private Rows opened() {
    Rows open = rows;
    if (open == null) {
      open = source.get();
      rows = open;
    }
    return open;
  }

  @Override
  public void close() {
    closed = true;
    Rows open = rows;
    if (open != null) {
      open.close();
    }
  }
}
