package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.TextPattern;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** Parser of regular expressions: literals, or {@code $regex} with {@code $options}. */
final class Patterns {
  private static final String FLAGS = "imsxu";

  private Patterns() {}

  /** Parses a regular expression literal. */
  static TextPattern literal(Value regex) {
    return pattern(regex.regexPattern(), regex.regexOptions());
  }

  /** Parses {@code $regex} and {@code $options} among the operators of one field. */
  static TextPattern inOperators(Document operators) {
    String pattern = "";
    String options = "";
    Fields fields = operators.fields();
    while (fields.next()) {
      Value value = fields.value();
      if (fields.named("$regex")) {
        if (value.type() == Type.REGEX) {
          options = oneOf(options, value.regexOptions(), 51074);
          pattern = value.regexPattern();
        } else {
          pattern = text(value, "$regex has to be a string");
        }
      } else if (fields.named("$options")) {
        options = oneOf(options, text(value, "$options has to be a string"), 51075);
      }
    }
    return pattern(pattern, options);
  }

  /** Parses a pattern with options. */
  static TextPattern pattern(String pattern, String options) {
    for (int i = 0; i < options.length(); i++) {
      if (FLAGS.indexOf(options.charAt(i)) < 0) {
        throw new CommandException(
            ErrorCode.location(51108), "invalid flag in regex options: " + options.charAt(i));
      }
    }
    if (pattern.indexOf('\0') >= 0) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Regular expression cannot contain an embedded null byte");
    }
    try {
      return TextPattern.of(pattern, options);
    } catch (QueryException refused) {
      throw new CommandException(
          ErrorCode.location(51091), "Regular expression is invalid: " + refused.getMessage());
    }
  }

  private static String oneOf(String before, String now, int number) {
    if (!before.isEmpty() && !now.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(number), "options set in both $regex and $options");
    }
    return now.isEmpty() ? before : now;
  }

  private static String text(Value value, String otherwise) {
    if (value.type() != Type.STRING) {
      throw new CommandException(ErrorCode.BAD_VALUE, otherwise);
    }
    return value.asString();
  }
}
