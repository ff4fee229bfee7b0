package dev.mayfly.mql.rows;

import dev.mayfly.query.QueryMemory;
import dev.mayfly.query.ValueMemory;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.query.sort.Workspace;
import dev.mayfly.value.Document;
import dev.mayfly.value.ValueException;

/**
 * Rows that count as steps of the operation's {@link Interrupt}, and as memory while they are
 * large.
 */
public final class InterruptibleRows implements Rows {
  /** A row of more bytes is counted as memory. */
  private static final int LARGE = 1 << 20;

  private final Rows rows;
  private final QueryMemory.Holding memory;
  private boolean large;
  private Document current = Document.EMPTY;

  public InterruptibleRows(Rows rows, Workspace workspace) {
    this.rows = rows;
    this.memory = workspace.holding();
  }

  @Override
  public boolean next() {
    if (!advance()) {
      return false;
    }
    current = rows.current();
    int length = current.length();
    Interrupt.steps(Interrupt.ofBytes(length));
    if (large || length > LARGE) {
      large = length > LARGE;
      if (!memory.hold(large ? length : 0)) {
        throw ValueMemory.exceeded();
      }
    }
    return true;
  }

  private boolean advance() {
    try {
      return rows.next();
    } catch (ValueException refused) {
      throw refused.reason() == ValueException.Reason.TOO_LARGE ? ValueMemory.exceeded() : refused;
    }
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public void close() {
    memory.close();
    rows.close();
  }
}
