package dev.mayfly.mql;

import dev.mayfly.value.Document;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A command failed with a MongoDB error: code, message and labels as the wire protocol reports
 * them.
 */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ErrorCode code;
  private final transient @Nullable List<String> labels;
  private final transient Document details;

  public CommandException(ErrorCode code, String message) {
    this(code, message, null, Document.EMPTY);
  }

  /**
   * Returns the error for a number out of range.
   *
   * @param bound the valid range, such as {@code >= 0}
   */
  public static CommandException outOfBounds(String field, String bound, long actual) {
    return new CommandException(
        ErrorCode.location(51024),
        "BSON field '" + field + "' value must be " + bound + ", actual value '" + actual + "'");
  }

  private CommandException(
      ErrorCode code, String message, @Nullable List<String> labels, Document details) {
    // Errors are replies, not faults: a stack trace is not worth its cost.
    super(message, null, false, false);
    this.code = code;
    this.labels = labels;
    this.details = details;
  }

  /** Returns this error with these error labels instead of those that follow from its code. */
  public CommandException labelled(List<String> wanted) {
    return new CommandException(code, message(), List.copyOf(wanted), details);
  }

  /** Returns this error with additional fields for the reply, such as the key of a duplicate. */
  public CommandException with(Document more) {
    return new CommandException(code, message(), labels, more);
  }

  public ErrorCode code() {
    return code;
  }

  public String message() {
    return String.valueOf(getMessage());
  }

  /** Returns the error labels if they do not follow from the code. */
  public Optional<List<String>> labels() {
    return Optional.ofNullable(labels);
  }

  /** Returns additional fields of the reply. */
  public Document details() {
    return details;
  }
}
