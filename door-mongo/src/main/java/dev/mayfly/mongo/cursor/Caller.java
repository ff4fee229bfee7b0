package dev.mayfly.mongo.cursor;

import dev.mayfly.mongo.command.Request;

/** The request on whose behalf rows are made at the moment: that of each batch in its turn. */
public final class Caller {
  private Request current;

  public Caller(Request first) {
    this.current = first;
  }

  Request current() {
    return current;
  }

  void is(Request request) {
    current = request;
  }
}
