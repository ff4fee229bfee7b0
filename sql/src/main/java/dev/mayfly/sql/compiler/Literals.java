package dev.mayfly.sql.compiler;

import dev.mayfly.value.Value;

/** Values of numbers as they are written. */
final class Literals {
  private Literals() {}

  /** An integer in the shortest type that holds it. */
  static Value integer(long number) {
    return number == (int) number ? Value.of((int) number) : Value.of(number);
  }
}
