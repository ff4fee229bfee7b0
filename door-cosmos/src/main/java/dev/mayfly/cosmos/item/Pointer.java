package dev.mayfly.cosmos.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * JSON Pointer: path of a patch, such as {@code /tags/0}, of names and array indexes. {@code ~1}
 * and {@code ~0} stand for a slash and a tilde in a name, {@code -} for the index after the last.
 *
 * @param steps at least one
 */
record Pointer(List<String> steps) {
  private static final String AFTER_LAST = "-";

  Pointer {
    steps = List.copyOf(steps);
  }

  /** Parses a pointer; empty if it is malformed. */
  static Optional<Pointer> parse(String text) {
    if (!text.startsWith("/") || text.length() == 1) {
      return Optional.empty();
    }
    List<String> steps = new ArrayList<>();
    for (String step : text.substring(1).split("/", -1)) {
      steps.add(step.replace("~1", "/").replace("~0", "~"));
    }
    return Optional.of(new Pointer(steps));
  }

  String step(int i) {
    return steps.get(i);
  }

  int last() {
    return steps.size() - 1;
  }

  boolean startsWith(List<String> others) {
    return others.size() <= steps.size() && steps.subList(0, others.size()).equals(others);
  }

  /**
   * Returns the array index that a step names.
   *
   * @return -1 if it is not an index; the length of the array for the index after the last
   */
  static int index(String step, int length) {
    if (step.equals(AFTER_LAST)) {
      return length;
    }
    boolean number =
        !step.isEmpty() && step.length() < 10 && step.chars().allMatch(Character::isDigit);
    return number ? Integer.parseInt(step) : -1;
  }

  @Override
  public String toString() {
    return "/" + String.join("/", steps);
  }
}
