package dev.mayfly.mongo.access;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.mongo.collection.IndexKind;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.query.Hint;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/** The {@code hint} of a command: an index by name or by keys, or the natural order. */
public final class Hints {
  private Hints() {}

  /**
   * What a hint means for a collection.
   *
   * @throws CommandException BAD_VALUE when there is no such index
   */
  public static Hint of(Value syntax, CollectionSpec spec) {
    return switch (syntax.type()) {
      case MISSING, NULL -> Hint.NONE;
      case STRING -> named(syntax.asString(), spec);
      case OBJECT -> syntax.asDocument().isEmpty() ? Hint.NONE : keyed(syntax.asDocument(), spec);
      case Type _ ->
          throw new CommandException(
              ErrorCode.FAILED_TO_PARSE, "'hint' must be a string or an object");
    };
  }

  private static Hint named(String name, CollectionSpec spec) {
    boolean known =
        name.equals(Uses.ID_INDEX)
            || spec.indexes().stream().anyMatch(index -> index.name().equals(name));
    if (!known) {
      throw unknown();
    }
    return new Hint.Index(name);
  }

  private static Hint keyed(Document keys, CollectionSpec spec) {
    Fields fields = keys.fields();
    fields.next();
    if (fields.named("$natural")) {
      return new Hint.Natural(fields.value().isNumber() && fields.value().asDouble() < 0);
    }
    if (fields.named("_id") && !fields.next()) {
      return new Hint.Index(Uses.ID_INDEX);
    }
    return spec.indexes().stream()
        .filter(index -> sameKeys(index, keys))
        .findFirst()
        .map(index -> new Hint.Index(index.name()))
        .orElseThrow(Hints::unknown);
  }

  private static boolean sameKeys(IndexSpec index, Document keys) {
    Fields fields = keys.fields();
    for (Part part : index.parts()) {
      if (!fields.next()
          || !fields.named(part.path().toString())
          || !sameKind(part, fields.value())) {
        return false;
      }
    }
    return !fields.next();
  }

  private static boolean sameKind(Part part, Value asked) {
    return part.sphere()
        ? asked.equals(Value.of(IndexKind.SPHERE.plugin()))
        : asked.isNumber() && (asked.asDouble() < 0) == part.descending();
  }

  private static CommandException unknown() {
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "error processing query: planner returned error :: caused by :: hint provided does not"
            + " correspond to an existing index");
  }
}
