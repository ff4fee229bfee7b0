package dev.mayfly.query;

/** Kleene's three truth values, ordered so that "and" is the least and "or" the greatest. */
enum Ternary {
  FALSE,
  UNDEFINED,
  TRUE;

  static Ternary of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  Ternary and(Ternary other) {
    return compareTo(other) <= 0 ? this : other;
  }

  Ternary or(Ternary other) {
    return compareTo(other) >= 0 ? this : other;
  }

  Ternary not() {
    return switch (this) {
      case FALSE -> TRUE;
      case UNDEFINED -> UNDEFINED;
      case TRUE -> FALSE;
    };
  }
}
