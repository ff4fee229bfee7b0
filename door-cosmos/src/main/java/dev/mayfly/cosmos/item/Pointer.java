package dev.mayfly.cosmos.item;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A path of a patch, such as {@code /tags/0}: names and places in arrays, in turn. {@code ~1} and
 * {@code ~0} stand for a slash and a tilde inside a name, {@code -} for the place behind the last.
 *
 * @param steps at least one
 */
record Pointer(List<String> steps) {
  private static final String BEHIND_LAST = "-";

  Pointer {
    steps = List.copyOf(steps);
  }

  /** Empty when the text is no path. */
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
   * The place in an array of some length that a step names.
   *
   * @return -1 when it names none; the length itself for the place behind the last
   */
  static int place(String step, int length) {
    if (step.equals(BEHIND_LAST)) {
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
