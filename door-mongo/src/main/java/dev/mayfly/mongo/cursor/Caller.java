package dev.mayfly.mongo.cursor;

import dev.mayfly.mongo.command.Request;

/**
 * The request that currently reads a cursor: first its command, then each getMore. For one thread
 * at a time.
 */
public final class Caller {
  private Request current;

  public Caller(Request first) {
    this.current = first;
  }

  Request current() {
    return current;
  }

  void set(Request request) {
    current = request;
  }
}
