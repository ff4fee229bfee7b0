package dev.mayfly.mql.parser.update;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.FilterParser;
import java.util.List;
import java.util.regex.Pattern;

/** Dotted path of an update, with its positional steps. */
record UpdatePath(String text, List<String> steps) {
  private static final Pattern IDENTIFIER = Pattern.compile("[a-z][a-zA-Z0-9]*");

  static UpdatePath parse(String text) {
    if (text.isEmpty()) {
      throw new CommandException(ErrorCode.EMPTY_FIELD_NAME, "An empty update path is not valid.");
    }
    UpdatePath path = new UpdatePath(text, List.of(text.split("\\.", -1)));
    path.check();
    return path;
  }

  /**
   * Returns whether a step selects array elements: {@code $}, {@code $[]} or {@code $[identifier]}.
   */
  static boolean isDynamic(String step) {
    return step.equals("$") || (step.startsWith("$[") && step.endsWith("]"));
  }

  boolean isDynamic() {
    return steps.stream().anyMatch(UpdatePath::isDynamic);
  }

  /** Returns the identifiers of array filters in the path. */
  List<String> identifiers() {
    if (text.indexOf('$') < 0) {
      return List.of();
    }
    return steps.stream()
        .filter(step -> step.startsWith("$[") && step.endsWith("]") && step.length() > 3)
        .map(step -> step.substring(2, step.length() - 1))
        .toList();
  }

  static boolean isIdentifier(String text) {
    return IDENTIFIER.matcher(text).matches();
  }

  private void check() {
    for (String step : steps) {
      if (step.isEmpty()) {
        throw new CommandException(
            ErrorCode.EMPTY_FIELD_NAME,
            "The update path '" + text + "' contains an empty field name, which is not allowed.");
      }
      boolean reference = step.equals("$id") || step.equals("$ref") || step.equals("$db");
      if (step.startsWith("$") && !isDynamic(step) && !reference) {
        throw dollar(step, text);
      }
    }
    if (text.indexOf('$') >= 0) {
      checkPositions();
    }
  }

  private void checkPositions() {
    if (isDynamic(steps.getFirst())) {
      String kind =
          steps.getFirst().equals("$")
              ? "positional (i.e. '$')"
              : "array filter identifier (i.e. '$[<id>]')";
      throw FilterParser.bad(
          "Cannot have " + kind + " element in the first position in path '" + text + "'");
    }
    if (steps.stream().filter("$"::equals).count() > 1) {
      throw FilterParser.bad(
          "Too many positional (i.e. '$') elements found in path '" + text + "'");
    }
  }

  static CommandException dollar(String step, String path) {
    return new CommandException(
        ErrorCode.DOLLAR_PREFIXED_FIELD_NAME,
        "The dollar ($) prefixed field '"
            + step
            + "' in '"
            + path
            + "' is not allowed in the context of an update's replacement document. Consider using"
            + " an aggregation pipeline with $replaceWith.");
  }
}
