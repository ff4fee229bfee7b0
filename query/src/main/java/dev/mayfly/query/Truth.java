package dev.mayfly.query;

/** Kleene's three truth values, in the order in which "and" is the least and "or" the greatest. */
enum Truth {
  FALSE,
  UNDEFINED,
  TRUE;

  static Truth of(boolean truth) {
    return truth ? TRUE : FALSE;
  }

  Truth and(Truth other) {
    return compareTo(other) <= 0 ? this : other;
  }

  Truth or(Truth other) {
    return compareTo(other) >= 0 ? this : other;
  }

  Truth not() {
    return switch (this) {
      case FALSE -> TRUE;
      case UNDEFINED -> UNDEFINED;
      case TRUE -> FALSE;
    };
  }
}
