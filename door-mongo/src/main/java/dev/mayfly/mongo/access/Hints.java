package dev.mayfly.mongo.access;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.IndexKind;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Hint;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Parses the {@code hint} of a command: an index by name or by key pattern, or {@code $natural}.
 */
public final class Hints {
  private Hints() {}

  /**
   * Resolves a hint for a collection.
   *
   * @throws CommandException BAD_VALUE if there is no such index
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
    return Indexes.named(spec, name)
        .filter(index -> !index.hidden())
        .map(Hints::through)
        .orElseThrow(Hints::unknown);
  }

  private static Hint keyed(Document keys, CollectionSpec spec) {
    Fields fields = keys.fields();
    fields.next();
    if (fields.named("$natural")) {
      Value direction = fields.value();
      if (!direction.isNumber() || Math.abs(direction.asDouble()) != 1) {
        throw new CommandException(
            ErrorCode.BAD_VALUE, "$natural hint cannot be set to a value other than -1 or 1.");
      }
      return new Hint.Natural(direction.asDouble() < 0);
    }
    return Indexes.keyed(spec, keys).stream()
        .filter(index -> !index.hidden())
        .findFirst()
        .map(Hints::through)
        .orElseThrow(Hints::unknown);
  }

  private static Hint through(IndexForm index) {
    if (Indexes.isLastWrite(index)) {
      throw unknown();
    }
    if (index.kind() == IndexKind.PLANE) {
      // a 2d index has no entries; the plan is a collection scan
      return Hint.NONE;
    }
    return new Hint.Index(index.isId() ? IndexUsage.ID_INDEX : index.name());
  }

  /**
   * A hint limited to a range of index keys, as by {@code min} and {@code max}.
   *
   * @param from the first key, inclusive, one field per part of the index; empty for no lower bound
   * @param below the end, exclusive; empty for no upper bound
   * @throws CommandException if the bounds do not fit the index or each other
   */
  public static Hint between(Hint hint, Document from, Document below, CollectionSpec spec) {
    if (!from.isEmpty() && !below.isEmpty() && !sameFields(from, below)) {
      throw failure(51176, "min and max must have the same field names");
    }
    if (!(hint instanceof Hint.Index(String name))) {
      throw failure(51173, "When using min()/max() a hint of which index to use must be provided");
    }
    Document key =
        name.equals(IndexUsage.ID_INDEX)
            ? IndexForm.ID.key()
            : Indexes.named(spec, name).orElseThrow(Hints::unknown).key();
    for (Document end : List.of(from, below)) {
      if (!end.isEmpty() && !(inOrder(key) && sameFields(key, end))) {
        throw failure(51174, "The index chosen is not compatible with min/max");
      }
    }
    if (!from.isEmpty() && !below.isEmpty() && !before(from, below, key)) {
      throw failure(
          51175,
          "The value provided for min() does not come before the value provided for max() in the"
              + " hinted index");
    }
    return new Hint.MinMax(name, values(from), values(below));
  }

  /** Whether all parts of an index are plain ascending or descending fields. */
  private static boolean inOrder(Document key) {
    Fields fields = key.fields();
    while (fields.next()) {
      if (!fields.value().isNumber() || fields.name().endsWith("$**")) {
        return false;
      }
    }
    return true;
  }

  private static boolean sameFields(Document one, Document other) {
    Fields fields = one.fields();
    Fields others = other.fields();
    while (fields.next()) {
      if (!others.next() || !others.name().equals(fields.name())) {
        return false;
      }
    }
    return !others.next();
  }

  private static boolean before(Document from, Document below, Document key) {
    Fields directions = key.fields();
    Fields ends = below.fields();
    Fields fields = from.fields();
    while (fields.next() && ends.next() && directions.next()) {
      int order = Order.MONGO.compare(fields.value(), ends.value());
      if (order != 0) {
        return (order < 0) == (directions.value().asDouble() > 0);
      }
    }
    return false;
  }

  private static List<Value> values(Document key) {
    List<Value> values = new ArrayList<>();
    Fields fields = key.fields();
    while (fields.next()) {
      values.add(fields.value());
    }
    return values;
  }

  private static CommandException failure(int number, String message) {
    return new CommandException(ErrorCode.location(number), message);
  }

  private static CommandException unknown() {
    return new CommandException(
        ErrorCode.BAD_VALUE,
        "error processing query: planner returned error :: caused by :: hint provided does not"
            + " correspond to an existing index");
  }
}
