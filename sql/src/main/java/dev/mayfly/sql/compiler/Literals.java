package dev.mayfly.sql.compiler;

import dev.mayfly.value.Value;

/** Values of numeric literals. */
final class Literals {
  private Literals() {}

  /** Returns an integer in the shortest type that holds it. */
  static Value integer(long number) {
    return number == (int) number ? Value.of((int) number) : Value.of(number);
  }
}
