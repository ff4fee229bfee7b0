package dev.mayfly.mql.rows;

import dev.mayfly.query.sort.Sorter;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import java.util.function.Function;

/** Documents sorted by the keys that a function returns. */
public final class SortRows implements Rows {
  private final Rows input;
  private final Function<Document, byte[]> key;
  private final Sorter sorter;
  private boolean filled;

  public SortRows(Rows input, Function<Document, byte[]> key, long limit, Workspace workspace) {
    this.input = input;
    this.key = key;
    this.sorter = new Sorter(workspace, limit);
  }

  @Override
  public boolean next() {
    if (!filled) {
      fill();
    }
    return sorter.next();
  }

  /** Closes the input at its end: its resources are not needed while the result is read. */
  private void fill() {
    filled = true;
    while (input.next()) {
      Document document = input.current();
      sorter.add(key.apply(document), document);
    }
    input.close();
    sorter.finish();
  }

  @Override
  public Document current() {
    return sorter.document();
  }

  @Override
  public void close() {
    try (sorter) {
      input.close();
    }
  }
}
