package dev.mayfly.mql;

import dev.mayfly.value.Document;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A command that was refused, in the words of the protocol. */
public final class CommandException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient ErrorCode code;
  private final transient @Nullable List<String> labels;
  private final transient Document details;

  public CommandException(ErrorCode code, String message) {
    this(code, message, null, Document.EMPTY);
  }

  /**
   * Refuses a number.
   *
   * @param bound what it must be, such as {@code >= 0}
   */
  public static CommandException outOfBounds(String field, String bound, long actual) {
    return new CommandException(
        ErrorCode.location(51024),
        "BSON field '" + field + "' value must be " + bound + ", actual value '" + actual + "'");
  }

  private CommandException(
      ErrorCode code, String message, @Nullable List<String> labels, Document details) {
    // Refusals are answers, not faults: the stack is not worth its cost.
    super(message, null, false, false);
    this.code = code;
    this.labels = labels;
    this.details = details;
  }

  /** This with labels that tell a driver what it may do, instead of those its code would have. */
  public CommandException labelled(List<String> wanted) {
    return new CommandException(code, message(), List.copyOf(wanted), details);
  }

  /** This with more fields for the reply, such as the key of a duplicate. */
  public CommandException with(Document more) {
    return new CommandException(code, message(), labels, more);
  }

  public ErrorCode code() {
    return code;
  }

  public String message() {
    return String.valueOf(getMessage());
  }

  /** Its labels, where they do not follow from its code. */
  public Optional<List<String>> labels() {
    return Optional.ofNullable(labels);
  }

  /** Further fields of the reply. */
  public Document details() {
    return details;
  }
}
