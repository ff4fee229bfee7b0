package dev.mayfly.mongo.access;

import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.query.pipeline.Rows;
import dev.mayfly.value.Document;

/** Rows that stop when the request that asks for them is to stop. */
final class Interruptible implements Rows {
  private final Caller caller;
  private final Rows rows;

  Interruptible(Caller caller, Rows rows) {
    this.caller = caller;
    this.rows = rows;
  }

  @Override
  public boolean next() {
    caller.check();
    return rows.next();
  }

  @Override
  public Document current() {
    return rows.current();
  }

  @Override
  public void close() {
    rows.close();
  }
}
