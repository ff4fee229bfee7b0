package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.value.FieldPath;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses paths in definitions of containers: {@code /address/zip}, with single or double quotes
 * around steps that are not plain names, and {@code []} for the elements of an array.
 */
final class PathSyntax {
  private final String text;
  private int at;

  private PathSyntax(String text) {
    this.text = text;
  }

  /**
   * Returns the steps of a path.
   *
   * @throws CosmosException 400 if it is malformed
   */
  static List<String> steps(String text) {
    PathSyntax path = new PathSyntax(text);
    List<String> steps = new ArrayList<>();
    while (path.at < text.length()) {
      steps.add(path.step());
    }
    if (steps.isEmpty()) {
      throw path.refused();
    }
    return steps;
  }

  /** As {@link #steps}, for a path to one value. */
  static FieldPath path(String text) {
    return FieldPath.of(steps(text));
  }

  private String step() {
    if (text.charAt(at) != '/') {
      throw refused();
    }
    at++;
    char first = at < text.length() ? text.charAt(at) : '/';
    return first == '"' || first == '\'' ? quoted(first) : plain();
  }

  private String plain() {
    int start = at;
    while (at < text.length() && text.charAt(at) != '/') {
      at++;
    }
    return text.substring(start, at);
  }

  private String quoted(char quote) {
    StringBuilder step = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != quote) {
      if (text.charAt(at) == '\\' && at + 1 < text.length()) {
        at++;
      }
      step.append(text.charAt(at));
      at++;
    }
    if (at == text.length()) {
      throw refused();
    }
    at++;
    return step.toString();
  }

  private CosmosException refused() {
    return CosmosException.wrong(
        "The indexing path '"
            + text
            + "' could not be accepted, failed near position '"
            + at
            + "'. Please ensure that the path is a valid path. Common errors include invalid"
            + " characters or absence of quotes around labels.");
  }
}
