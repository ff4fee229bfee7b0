package dev.mayfly.mongo.collection;

import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Locale;

/**
 * Validation options of a collection.
 *
 * @param validator the query that documents must satisfy; empty for any document
 * @param levelGiven whether the level was given: only then it is listed
 * @param actionGiven whether the action was given
 */
public record Validation(
    Document validator, Level level, Action action, boolean levelGiven, boolean actionGiven) {
  private static final String LEVEL = "validationLevel";
  private static final String ACTION = "validationAction";

  /** Accepts any document. */
  public static final Validation NONE =
      new Validation(Document.EMPTY, Level.STRICT, Action.ERROR, false, false);

  /** Which writes are validated. */
  public enum Level {
    OFF,
    /** All. */
    STRICT,
    /** All but updates of documents that already fail validation. */
    MODERATE
  }

  /** What happens to a document that fails validation. */
  public enum Action {
    ERROR,
    /** It is written, and a warning is logged. */
    WARN
  }

  /** A level and an action that were given. */
  public Validation(Document validator, Level level, Action action) {
    this(validator, level, action, true, true);
  }

  public Validation withValidator(Document changed) {
    return new Validation(changed, level, action, levelGiven, actionGiven);
  }

  public Validation withLevel(Level changed) {
    return new Validation(validator, changed, action, true, actionGiven);
  }

  public Validation withAction(Action changed) {
    return new Validation(validator, level, changed, levelGiven, true);
  }

  /** Returns this with the changes of a request. */
  public Validation changedBy(Section request) {
    Validation changed =
        request.has("validator") ? withValidator(request.document("validator")) : this;
    if (request.has(LEVEL)) {
      changed =
          changed.withLevel(
              choice(Level.values(), request.text(LEVEL), request.path() + "." + LEVEL));
    }
    return request.has(ACTION)
        ? changed.withAction(
            choice(Action.values(), request.text(ACTION), request.path() + "." + ACTION))
        : changed;
  }

  /** Writes the options that were given. */
  void write(DocumentWriter to) {
    to.put("validator", validator);
    if (levelGiven) {
      to.put(LEVEL, name(level));
    }
    if (actionGiven) {
      to.put(ACTION, name(action));
    }
  }

  /** The validation that {@link #write} has written; none without a validator. */
  static Validation of(Document written) {
    Value validator = written.field("validator");
    if (validator.isMissing()) {
      return NONE;
    }
    Validation read = NONE.withValidator(validator.asDocument());
    Value level = written.field(LEVEL);
    Value action = written.field(ACTION);
    if (!level.isMissing()) {
      read = read.withLevel(choice(Level.values(), level.asString(), "level"));
    }
    return action.isMissing()
        ? read
        : read.withAction(choice(Action.values(), action.asString(), "action"));
  }

  /** The name of a level or an action in the protocol. */
  private static String name(Enum<?> choice) {
    return choice.name().toLowerCase(Locale.ROOT);
  }

  /**
   * The constant of that name.
   *
   * @param field the name of the field, for the message
   * @throws CommandException BAD_VALUE if there is none
   */
  private static <E extends Enum<E>> E choice(E[] choices, String name, String field) {
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
