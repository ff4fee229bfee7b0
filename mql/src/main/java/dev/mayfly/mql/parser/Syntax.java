package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.pipeline.ScopedPredicate;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Context for parsing stages: variables and collation of the pipeline.
 *
 * <p>Immutable.
 */
public record Syntax(Variables variables, Collation collation) {
  /** Expressions compare strings by the pipeline's collation. */
  public Syntax {
    variables = variables.collated(collation);
  }

  public Expression expression(Value syntax) {
    return ExpressionParser.parse(syntax, variables);
  }

  /** Parses a filter whose expressions use the variables of the run. */
  public Filter filter(Document syntax) {
    return FilterParser.parse(syntax, value -> new ScopedPredicate(expression(value)), collation);
  }

  public Syntax with(Variables others) {
    return new Syntax(others, collation);
  }

  /** Parses a path of plain names, as in output fields. */
  public static FieldPath path(String dotted) {
    if (dotted.isEmpty()) {
      throw failure(40352, "FieldPath cannot be constructed with empty string");
    }
    return ExpressionParser.path(dotted);
  }

  public static String text(Value value, int code, String message) {
    if (value.type() != Type.STRING) {
      throw failure(code, message + typeOf(value));
    }
    return value.asString();
  }

  public static Document object(Value value, int code, String message) {
    if (!value.isDocument()) {
      throw failure(code, message + typeOf(value));
    }
    return value.asDocument();
  }

  public static List<Document> documents(Value array, int code, String message) {
    if (!array.isArray()) {
      throw failure(code, message);
    }
    List<Document> documents = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw failure(code, message);
      }
      documents.add(elements.value().asDocument());
    }
    return documents;
  }

  public static List<Value> elements(Value array) {
    List<Value> values = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }

  public static String typeOf(Value value) {
    return TypeNames.of(value.type());
  }

  public static CommandException failure(int code, String message) {
    return new CommandException(ErrorCode.of(code), message);
  }

  /** Rejects options that a stage does not have. */
  public static void refuseUnknown(Document options, Set<String> known, String stage) {
    Fields fields = options.fields();
    while (fields.next()) {
      if (!known.contains(fields.name())) {
        throw failure(
            40415, "BSON field '" + stage + "." + fields.name() + "' is an unknown field.");
      }
    }
  }
}
