package dev.mayfly.query;

/** How a value is compared with a constant. */
public enum Operator {
  EQ,
  NE,
  LT,
  LTE,
  GT,
  GTE;

  /** True for the four that ask for more than equality. */
  boolean ordering() {
    return this != EQ && this != NE;
  }

  /** True when a value that compares so with the constant satisfies this operator. */
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

  /** The operator that says the same of the constant. */
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
