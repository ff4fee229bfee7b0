package dev.mayfly.sql;

import java.util.Locale;
import java.util.Optional;

/** A value computed from all rows of a group. */
public record Aggregate(Kind kind, Scalar operand) {
  /** The aggregate functions. */
  public enum Kind {
    /** How many values are defined. */
    COUNT,
    /** How many values are true. */
    COUNTIF,
    /** The sum of the numbers; undefined when there is another value among them. */
    SUM,
    /** Their mean; undefined when there is none, or another value among them. */
    AVG,
    /** The least scalar; undefined when there is none, or an array or object. */
    MIN,
    /** The greatest scalar; undefined when there is none, or an array or object. */
    MAX,
    /** All values as an array. */
    MAKELIST,
    /** All different values as an array. */
    MAKESET;

    /** The function of that name, in any case. */
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
