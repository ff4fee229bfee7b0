package dev.mayfly.mql.update;

import dev.mayfly.value.FieldPath;
import java.util.List;

/**
 * One step of the path of a modification.
 *
 * <p>Names sort as texts and numbers as numbers, numbers first: in this order fields are added.
 */
sealed interface PathStep extends Comparable<PathStep> {
  /** The text by which a path shows this step. */
  String text();

  /** The place in an array that this names, or -1. */
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

  /** A field of this name, or the element at this place. */
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
     * The element of an array that this names, or -1. Unlike in queries a number may begin with
     * zeros; one that is beyond every array is the largest there is.
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

  /** The element by which the document was found. */
  record Found() implements PathStep {
    @Override
    public String text() {
      return "$";
    }
  }

  /** Every element. */
  record Every() implements PathStep {
    @Override
    public String text() {
      return "$[]";
    }
  }

  /** The elements that the filter of this name means. */
  record Filtered(String identifier) implements PathStep {
    @Override
    public String text() {
      return "$[" + identifier + "]";
    }
  }
}
