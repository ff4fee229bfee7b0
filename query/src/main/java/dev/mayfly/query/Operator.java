package dev.mayfly.query;

/** Comparison operator. */
public enum Operator {
  EQ,
  NE,
  LT,
  LTE,
  GT,
  GTE;

  /** Returns whether this is one of the four ordering operators. */
  boolean ordering() {
    return this != EQ && this != NE;
  }

  /** Returns whether a comparison result satisfies this operator. */
  public boolean holds(int comparison) {
    return switch (this) {
      case EQ -> comparison == 0;
      case NE -> comparison != 0;
      case LT -> comparison < 0 && comparison != Operand.UNORDERED;
      case LTE -> comparison <= 0 && comparison != Operand.UNORDERED;
      case GT -> comparison > 0;
      case GTE -> comparison >= 0;
    };
  }

  /** Returns the operator with its sides swapped. */
  public Operator mirrored() {
    return switch (this) {
      case EQ, NE -> this;
      case LT -> GT;
      case LTE -> GTE;
      case GT -> LT;
      case GTE -> LTE;
    };
  }
}
