package dev.mayfly.query.pipeline;

import dev.mayfly.query.Interrupt;
import dev.mayfly.value.Document;

/** Rows of a stage, each of which counts as steps in the {@link Interrupt} of who asks for it. */
final class Interruptible implements Rows {
  private final Rows rows;
  private Document current = Document.EMPTY;

  Interruptible(Rows rows) {
    this.rows = rows;
  }

  @Override
  public boolean next() {
    if (!rows.next()) {
      return false;
    }
    current = rows.current();
    Interrupt.steps(Interrupt.ofBytes(current.length()));
    return true;
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    rows.close();
  }
}
