package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.ExpressionParser;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.mql.parser.Integers;
import dev.mayfly.mql.parser.SortParser;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;

/** Parser of stages that select, sort, count or unwind documents. */
final class PlainStages {
  private PlainStages() {}

  static List<Stage> match(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(15959, "the match filter must be an expression in an object");
    }
    Filter filter = syntax.filter(specification.asDocument());
    GeoSyntax.refuseNearness(filter);
    return List.of(new Stage.Match(filter));
  }

  static List<Stage> limit(Value specification, Syntax syntax) {
    long count =
        Integers.nonNegative(
            "$limit",
            specification,
            ErrorCode.location(5107201),
            "invalid argument to $limit stage: ");
    if (count == 0) {
      throw Syntax.failure(15958, "the limit must be positive");
    }
    return List.of(new Stage.Limit(count));
  }

  static List<Stage> skip(Value specification, Syntax syntax) {
    return List.of(
        new Stage.Skip(
            Integers.nonNegative(
                "$skip",
                specification,
                ErrorCode.location(5107200),
                "invalid argument to $skip stage: ")));
  }

  static List<Stage> sort(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(15973, "the $sort key specification must be an object");
    }
    List<Sort> keys = SortParser.parse(specification.asDocument());
    if (keys.isEmpty()) {
      throw Syntax.failure(15976, "$sort stage must have at least one sort key");
    }
    return List.of(new Stage.Order(keys, Query.NO_LIMIT));
  }

  static List<Stage> count(Value specification, Syntax syntax) {
    if (specification.type() != Type.STRING) {
      throw Syntax.failure(40156, "the count field must be a non-empty string");
    }
    String field = specification.asString();
    if (field.isEmpty()) {
      throw Syntax.failure(40157, "the count field must be a non-empty string");
    }
    if (field.startsWith("$")) {
      throw Syntax.failure(40158, "the count field cannot be a $-prefixed path");
    }
    if (field.indexOf('\0') >= 0) {
      throw Syntax.failure(40159, "the count field cannot contain a null byte");
    }
    if (field.indexOf('.') >= 0) {
      throw Syntax.failure(40160, "the count field cannot contain '.'");
    }
    return List.of(new Stage.Count(field));
  }

  static List<Stage> sample(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(28745, "the $sample stage specification must be an object");
    }
    Value size = Value.MISSING;
    Fields options = specification.asDocument().fields();
    while (options.next()) {
      if (!options.named("size")) {
        throw Syntax.failure(28748, "unrecognized option to $sample: " + options.name());
      }
      size = options.value();
    }
    if (size.isMissing()) {
      throw Syntax.failure(28749, "$sample stage must specify a size");
    }
    if (!size.isNumber()) {
      throw Syntax.failure(28746, "size argument to $sample must be a number");
    }
    if (size.asLong() <= 0) {
      throw Syntax.failure(28747, "size argument to $sample must be a positive integer");
    }
    return List.of(new Stage.Sample(size.asLong()));
  }

  static List<Stage> unwind(Value specification, Syntax syntax) {
    if (specification.type() == Type.STRING) {
      return List.of(
          new Stage.Unwind(unwindPath(specification.asString()), Optional.empty(), false));
    }
    Document options =
        Syntax.object(
            specification,
            15981,
            "expected either a string or an object as specification for $unwind stage, got ");
    return List.of(unwind(options));
  }

  private static Stage unwind(Document options) {
    Optional<FieldPath> path = Optional.empty();
    Optional<FieldPath> index = Optional.empty();
    boolean keepsEmpty = false;
    Fields fields = options.fields();
    while (fields.next()) {
      Value value = fields.value();
      switch (fields.name()) {
        case "path" ->
            path =
                Optional.of(
                    unwindPath(
                        Syntax.text(
                            value,
                            28808,
                            "expected a string as the path for $unwind stage, got ")));
        case "includeArrayIndex" -> index = Optional.of(indexPath(value));
        case "preserveNullAndEmptyArrays" -> keepsEmpty = flag(value);
        default ->
            throw Syntax.failure(28811, "unrecognized option to $unwind stage: " + fields.name());
      }
    }
    return new Stage.Unwind(
        path.orElseThrow(() -> Syntax.failure(28812, "no path specified to $unwind stage")),
        index,
        keepsEmpty);
  }

  private static FieldPath unwindPath(String path) {
    if (path.isEmpty()) {
      throw Syntax.failure(28812, "no path specified to $unwind stage");
    }
    if (!path.startsWith("$")) {
      throw Syntax.failure(
          28818, "path option to $unwind stage should be prefixed with a '$': " + path);
    }
    return Syntax.path(path.substring(1));
  }

  private static FieldPath indexPath(Value value) {
    String message =
        "expected a non-empty string for the includeArrayIndex  option to $unwind stage, got ";
    String path = Syntax.text(value, 28810, message);
    if (path.isEmpty()) {
      throw Syntax.failure(28810, message + "an empty string");
    }
    if (path.startsWith("$")) {
      throw Syntax.failure(
          28822,
          "includeArrayIndex option to $unwind stage should not be prefixed with a '$': " + path);
    }
    return Syntax.path(path);
  }

  private static boolean flag(Value value) {
    if (value.type() != Type.BOOLEAN) {
      throw Syntax.failure(
          28809,
          "expected a boolean for the preserveNullAndEmptyArrays option to $unwind stage, got "
              + Syntax.typeOf(value));
    }
    return value.asBoolean();
  }

  static List<Stage> redact(Value specification, Syntax syntax) {
    Variables inner =
        syntax
            .variables()
            .constant("KEEP", Stage.Redact.KEEP)
            .constant("PRUNE", Stage.Redact.PRUNE)
            .constant("DESCEND", Stage.Redact.DESCEND)
            .child("CURRENT");
    return List.of(
        new Stage.Redact(ExpressionParser.parse(specification, inner), inner.slot("CURRENT")));
  }

  static List<Stage> documents(Value specification, Syntax syntax) {
    return List.of(new Stage.Documents(syntax.expression(specification)));
  }
}
