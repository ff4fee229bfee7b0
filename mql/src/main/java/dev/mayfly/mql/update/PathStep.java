package dev.mayfly.mql.update;

import dev.mayfly.value.FieldPath;
import java.util.List;

/**
 * One step of an update path.
 *
 * <p>Ordered: numbers first, by value, then names. New fields are added in this order.
 */
sealed interface PathStep extends Comparable<PathStep> {
  /** Returns the text of this step in a path. */
  String text();

  /** Returns the array index that this step names, or -1. */
  default int place() {
    return -1;
  }

  @Override
  default int compareTo(PathStep other) {
    boolean number = place() >= 0;
    if (number != other.place() >= 0) {
      return number ? -1 : 1;
    }
    return number ? Integer.compare(place(), other.place()) : text().compareTo(other.text());
  }

  /** A field name, or an array index. */
  record Named(FieldPath name) implements PathStep {
    private static final int MOST_DIGITS = 18;

    static Named of(String text) {
      return new Named(FieldPath.of(List.of(text)));
    }

    @Override
    public String text() {
      return name.step(0);
    }

    byte[] utf8() {
      return name.stepUtf8(0);
    }

    @Override
    public int place() {
      return name.index(0);
    }

    /**
     * Returns the array index that this step names, or -1. Unlike in queries, a number may have
     * leading zeros; one beyond every array becomes the largest index.
     */
    int element() {
      String text = text();
      if (place() >= 0 || !text.chars().allMatch(digit -> digit >= '0' && digit <= '9')) {
        return place();
      }
      return text.length() <= MOST_DIGITS
          ? (int) Math.min(Long.parseLong(text), Integer.MAX_VALUE)
          : -1;
    }
  }

  /** {@code $}: the element that matched the query. */
  record Found() implements PathStep {
    @Override
    public String text() {
      return "$";
    }
  }

  /** {@code $[]}: every element. */
  record Every() implements PathStep {
    @Override
    public String text() {
      return "$[]";
    }
  }

  /** {@code $[identifier]}: the elements that match the array filter. */
  record Filtered(String identifier) implements PathStep {
    @Override
    public String text() {
      return "$[" + identifier + "]";
    }
  }
}
