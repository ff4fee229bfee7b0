package dev.mayfly.value;

import java.util.Arrays;
import java.util.List;

/** Path to a value inside a document: field names or array indexes. */
public final class FieldPath {
  private final String[] steps;
  private final byte[][] utf8;
  private final int[] indexes;

  private FieldPath(String[] steps) {
    this.steps = steps;
    this.utf8 = new byte[steps.length][];
    this.indexes = new int[steps.length];
    for (int i = 0; i < steps.length; i++) {
      utf8[i] = Utf8.bytes(steps[i]);
      indexes[i] = indexOf(steps[i]);
    }
  }

  /** Parses a dotted path; every dot divides, so steps may be empty. */
  public static FieldPath of(String dotted) {
    return new FieldPath(dotted.split("\\.", -1));
  }

  /** Returns the path of these steps, which may contain dots. */
  public static FieldPath of(List<String> steps) {
    return new FieldPath(steps.toArray(String[]::new));
  }

  /** Returns the number of steps. */
  public int length() {
    return steps.length;
  }

  /** Returns the step at this position, from 0. */
  public String step(int i) {
    return steps[i];
  }

  /** Returns the step at this position as UTF-8; shared, must not be changed. */
  public byte[] stepUtf8(int i) {
    return utf8[i];
  }

  /** Returns the step at this position as an array index, or -1 if it is not a plain number. */
  public int index(int i) {
    return indexes[i];
  }

  /** Returns whether this path begins with all steps of the other. */
  public boolean startsWith(FieldPath other) {
    int length = other.steps.length;
    return length <= steps.length && Arrays.equals(steps, 0, length, other.steps, 0, length);
  }

  /** Returns the path with one more step. */
  public FieldPath child(String step) {
    String[] longer = Arrays.copyOf(steps, steps.length + 1);
    longer[steps.length] = step;
    return new FieldPath(longer);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FieldPath path && Arrays.equals(steps, path.steps);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(steps);
  }

  /** The dotted form. */
  @Override
  public String toString() {
    return String.join(".", steps);
  }

  /** Only the canonical form is an index: "01" and "+1" are names. */
  private static int indexOf(String step) {
    int length = step.length();
    if (length == 0 || length > 10 || (length > 1 && step.charAt(0) == '0')) {
      return -1;
    }
    long index = 0;
    for (int i = 0; i < length; i++) {
      char digit = step.charAt(i);
      if (digit < '0' || digit > '9') {
        return -1;
      }
      index = index * 10 + (digit - '0');
    }
    return index <= Integer.MAX_VALUE ? (int) index : -1;
  }
}
