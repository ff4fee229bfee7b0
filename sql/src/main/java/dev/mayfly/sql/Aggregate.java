package dev.mayfly.sql;

import java.util.Locale;
import java.util.Optional;

/** Aggregate function over the rows of a group. */
public record Aggregate(Kind kind, Scalar operand) {
  /** The aggregate functions. */
  public enum Kind {
    /** Number of defined values. */
    COUNT,
    /** Number of true values. */
    COUNTIF,
    /** Sum of the numbers; undefined if there is a value of another type. */
    SUM,
    /** Mean of the numbers; undefined if there are none or a value of another type. */
    AVG,
    /** Minimum of the scalars; undefined if there are none, or an array or object. */
    MIN,
    /** Maximum of the scalars; undefined if there are none, or an array or object. */
    MAX,
    /** All values as an array. */
    MAKELIST,
    /** All distinct values as an array. */
    MAKESET;

    /** Returns the function with a name, in any case. */
    public static Optional<Kind> find(String name) {
      return switch (name.toUpperCase(Locale.ROOT)) {
        case "COUNT" -> Optional.of(COUNT);
        case "COUNTIF" -> Optional.of(COUNTIF);
        case "SUM" -> Optional.of(SUM);
        case "AVG" -> Optional.of(AVG);
        case "MIN" -> Optional.of(MIN);
        case "MAX" -> Optional.of(MAX);
        case "MAKELIST" -> Optional.of(MAKELIST);
        case "MAKESET" -> Optional.of(MAKESET);
        default -> Optional.empty();
      };
    }
  }
}
