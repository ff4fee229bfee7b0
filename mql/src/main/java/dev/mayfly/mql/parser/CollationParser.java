package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.query.Collation;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.Set;

/** Parser of the {@code collation} of commands and indexes. */
public final class CollationParser {
  private static final Set<String> KNOWN =
      Set.of(
          "locale",
          "caseLevel",
          "caseFirst",
          "strength",
          "numericOrdering",
          "alternate",
          "maxVariable",
          "normalization",
          "backwards",
          "version");

  private final Document syntax;

  private CollationParser(Document syntax) {
    this.syntax = syntax;
  }

  /**
   * Parses a collation; an empty document is the simple collation.
   *
   * @throws CommandException if an option is unknown, of the wrong type or out of range
   */
  public static Collation parse(Document syntax) {
    return syntax.isEmpty() ? Collation.SIMPLE : new CollationParser(syntax).collation();
  }

  private Collation collation() {
    refuseUnknown();
    String locale = text("locale", "");
    if (syntax.field("locale").isMissing()) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD, "BSON field 'collation.locale' is missing but a required field");
    }
    if (locale.equals("simple") && hasMoreThanLocale()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "If locale='simple', no other fields should be set. Spec was: "
              + ShellText.of(Value.of(syntax)));
    }
    try {
      return Collation.of(settings(Collation.Settings.of(locale)));
    } catch (QueryException refused) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "Field 'locale' is invalid in: " + ShellText.of(Value.of(syntax)));
    }
  }

  private Collation.Settings settings(Collation.Settings usual) {
    Collation.Settings settings =
        new Collation.Settings(
            usual.locale(),
            flag("caseLevel", usual.caseLevel()),
            word("caseFirst", usual.caseFirst(), "upper", "lower", "off"),
            strength(usual.strength()),
            flag("numericOrdering", usual.numericOrdering()),
            word("alternate", usual.alternate(), "non-ignorable", "shifted"),
            word("maxVariable", usual.maxVariable(), "punct", "space"),
            flag("normalization", usual.normalization()),
            flag("backwards", usual.backwards()));
    check(settings);
    return settings;
  }

  private void check(Collation.Settings settings) {
    if (settings.backwards() && settings.strength() == 1) {
      throw invalid("'backwards' is invalid with 'strength' of 1");
    }
    if (!settings.caseFirst().equals("off") && !settings.caseLevel() && settings.strength() < 3) {
      throw invalid(
          "'caseFirst' is invalid unless 'caseLevel' is on or 'strength' is greater" + " than 2");
    }
  }

  private void refuseUnknown() {
    Fields fields = syntax.fields();
    while (fields.next()) {
      if (!KNOWN.contains(fields.name())) {
        throw new CommandException(
            ErrorCode.UNKNOWN_FIELD,
            "BSON field 'collation." + fields.name() + "' is an unknown field.");
      }
    }
  }

  private boolean hasMoreThanLocale() {
    Fields fields = syntax.fields();
    fields.next();
    return fields.next();
  }

  private int strength(int usual) {
    Value value = syntax.field("strength");
    if (value.isMissing()) {
      return usual;
    }
    if (!value.isNumber()) {
      throw mismatch("strength", value, "[long, int, decimal, double]");
    }
    long strength = value.asLong();
    if (strength < 1 || strength > 5 || value.asDouble() != strength) {
      throw CommandException.outOfBounds("strength", strength < 1 ? ">= 1" : "<= 5", strength);
    }
    return (int) strength;
  }

  private String word(String name, String usual, String... allowed) {
    String word = text(name, usual);
    if (!Set.of(allowed).contains(word)) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "Enumeration value '"
              + word
              + "' for field 'collation."
              + name
              + "' is not a valid"
              + " value.");
    }
    return word;
  }

  private String text(String name, String usual) {
    Value value = syntax.field(name);
    if (value.isMissing()) {
      return usual;
    }
    if (value.type() != Type.STRING) {
      throw mismatch(name, value, "string");
    }
    return value.asString();
  }

  private boolean flag(String name, boolean usual) {
    Value value = syntax.field(name);
    return switch (value.type()) {
      case MISSING -> usual;
      case BOOLEAN -> value.asBoolean();
      case INT32, INT64, DOUBLE, DECIMAL128 -> value.asDouble() != 0;
      default -> throw mismatch(name, value, "[bool, long, int, decimal, double]");
    };
  }

  private static CommandException mismatch(String name, Value value, String expected) {
    String types =
        expected.startsWith("[") ? "types '" + expected + "'" : "type '" + expected + "'";
    return new CommandException(
        ErrorCode.TYPE_MISMATCH,
        "BSON field 'collation."
            + name
            + "' is the wrong type '"
            + TypeNames.of(value.type())
            + "', expected "
            + types);
  }

  private CommandException invalid(String message) {
    return new CommandException(
        ErrorCode.BAD_VALUE, message + ": " + ShellText.of(Value.of(syntax)));
  }
}
