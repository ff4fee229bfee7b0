package dev.mayfly.mql.rows;

import dev.mayfly.query.sort.Sorter;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import java.util.function.Function;

/** The documents in the order of the keys that a function gives them. */
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

  /** Closes the input at its end: what it holds on to is not needed while the result is read. */
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
