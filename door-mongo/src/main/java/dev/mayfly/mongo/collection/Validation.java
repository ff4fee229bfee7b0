package dev.mayfly.mongo.collection;

import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.value.Document;
import java.util.Locale;

/**
 * Which documents a collection takes.
 *
 * @param validator a query that they pass; empty when any will do
 */
public record Validation(Document validator, Level level, Action action) {
  /** Any document will do. */
  public static final Validation NONE = new Validation(Document.EMPTY, Level.STRICT, Action.ERROR);

  /** Which writes are looked at. */
  public enum Level {
    OFF,
    /** All. */
    STRICT,
    /** All but updates of documents that do not pass before. */
    MODERATE
  }

  /** What becomes of a document that does not pass. */
  public enum Action {
    ERROR,
    /** It is written, and the log says so. */
    WARN
  }

  public Validation withValidator(Document changed) {
    return new Validation(changed, level, action);
  }

  public Validation withLevel(Level changed) {
    return new Validation(validator, changed, action);
  }

  public Validation withAction(Action changed) {
    return new Validation(validator, level, changed);
  }

  /** The name by which the protocol knows a level or an action. */
  public static String name(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The choice of that name.
   *
   * @param field the field that says so, for the message
   * @throws CommandException BAD_VALUE when there is none
   */
  public static <E extends Enum<E>> E choice(E[] choices, String name, String field) {
    for (E choice : choices) {
      if (name(choice).equals(name)) {
        return choice;
      }
    }
    throw new CommandException(
        ErrorCode.BAD_VALUE,
        "Enumeration value '" + name + "' for field '" + field + "' is not a valid value.");
  }
}
