package dev.mayfly;

import java.util.List;

/** A directory that cannot be opened, with the known reasons. */
public final class UnreadableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient List<String> problems;

  UnreadableException(List<String> problems, RuntimeException cause) {
    super(String.join("; ", problems), cause);
    this.problems = List.copyOf(problems);
  }

  /** One line per reason. */
  public List<String> problems() {
    return problems;
  }
}
