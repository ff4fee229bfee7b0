package dev.mayfly.mql.parser.update;

import static dev.mayfly.mql.parser.FilterParser.bad;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.parser.ElementOrderParser;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.Integers;
import dev.mayfly.mql.update.ArrayModifiers.AddToSet;
import dev.mayfly.mql.update.ArrayModifiers.Pop;
import dev.mayfly.mql.update.ArrayModifiers.Pull;
import dev.mayfly.mql.update.ArrayModifiers.Push;
import dev.mayfly.mql.update.ArrayModifiers.Selection;
import dev.mayfly.mql.update.Modifier;
import dev.mayfly.mql.update.Modifiers;
import dev.mayfly.mql.update.Modifiers.Bitwise;
import dev.mayfly.query.Collation;
import dev.mayfly.query.ElementOrder;
import dev.mayfly.query.Filter;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parser of one update operator with its argument for one path. */
final class ModifierParser {
  /** Logical operators, which stand in place of fields in a filter. */
  private static final Set<String> OF_FIELDS =
      Set.of("$and", "$or", "$nor", "$expr", "$jsonSchema", "$comment", "$text", "$where");

  private final Collation collation;

  ModifierParser(Collation collation) {
    this.collation = collation;
  }

  /** Parses a modifier other than {@code $rename}, which has two paths. */
  Modifier parse(String operator, String path, Value argument) {
    return switch (operator) {
      case "$set" -> new Modifiers.Set(argument);
      case "$setOnInsert" -> new Modifiers.SetOnInsert(argument);
      case "$unset" -> new Modifiers.Unset();
      case "$inc" -> new Modifiers.Increment(number("increment", path, argument));
      case "$mul" -> new Modifiers.Multiply(number("multiply", path, argument));
      case "$min" -> new Modifiers.Extreme(argument, false, collation);
      case "$max" -> new Modifiers.Extreme(argument, true, collation);
      case "$currentDate" -> new Modifiers.CurrentDate(isTimestamp(argument));
      case "$push" -> push(argument);
      case "$addToSet" -> new AddToSet(members(argument), collation);
      case "$pop" -> new Pop(popsFirst(path, argument));
      case "$pull" -> new Pull(selection(argument));
      case "$pullAll" -> new Pull(new Selection.Equal(all(argument), collation));
      case "$bit" -> bitwise(argument);
      default ->
          throw new CommandException(
              ErrorCode.FAILED_TO_PARSE,
              "Unknown modifier: "
                  + operator
                  + ". Expected a valid update modifier or pipeline-style update specified as an"
                  + " array");
    };
  }

  private static Value number(String verb, String path, Value argument) {
    if (!argument.isNumber()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "Cannot "
              + verb
              + " with non-numeric argument: {"
              + ShellText.field(path, argument)
              + "}");
    }
    return argument;
  }

  private static boolean isTimestamp(Value argument) {
    if (argument.type() == Type.BOOLEAN) {
      return false;
    }
    if (!argument.isDocument()) {
      throw bad(
          TypeNames.of(argument.type())
              + " is not valid type for $currentDate. Please use a boolean ('true') or a $type"
              + " expression ({$type: 'timestamp/date'}).");
    }
    Fields fields = argument.asDocument().fields();
    String type = "";
    while (fields.next()) {
      if (!fields.named("$type")) {
        throw bad("Unrecognized $currentDate option: " + fields.name());
      }
      type = fields.type() == Type.STRING ? fields.value().asString() : "";
    }
    if (!type.equals("date") && !type.equals("timestamp")) {
      throw bad(
          "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field"
              + " : {$type: 'date'}}}");
    }
    return type.equals("timestamp");
  }

  private Modifier push(Value argument) {
    if (!argument.isDocument() || argument.asDocument().field("$each").isMissing()) {
      return new Push(List.of(argument), Push.AT_END, Push.ALL, new ElementOrder.None());
    }
    List<Value> values = List.of();
    long position = Push.AT_END;
    long slice = Push.ALL;
    ElementOrder order = new ElementOrder.None();
    Fields clauses = argument.asDocument().fields();
    while (clauses.next()) {
      Value value = clauses.value();
      switch (clauses.name()) {
        case "$each" -> values = each(value);
        case "$position" ->
            position = whole(value, "$position must be an integer value, not of type: ");
        case "$slice" ->
            slice = whole(value, "$slice must be an integer value but was given type: ");
        case "$sort" -> order = ElementOrderParser.parse(value, collation);
        default -> throw bad("Unrecognized clause in $push: " + clauses.name());
      }
    }
    return new Push(values, position, slice, order);
  }

  private static List<Value> each(Value value) {
    if (!value.isArray()) {
      throw bad(
          "The argument to $each in $push must be an array but it was of type: "
              + TypeNames.of(value.type()));
    }
    return elements(value);
  }

  private static long whole(Value value, String otherwise) {
    boolean integer = value.isNumber() && value.isFinite() && value.asDouble() == value.asLong();
    if (!integer) {
      throw bad("The value for " + otherwise + TypeNames.of(value.type()));
    }
    return value.asLong();
  }

  private static List<Value> members(Value argument) {
    if (!argument.isDocument()) {
      return List.of(argument);
    }
    Fields fields = argument.asDocument().fields();
    if (!fields.next() || !fields.named("$each")) {
      return List.of(argument);
    }
    Value values = fields.value();
    if (!values.isArray()) {
      throw new CommandException(
          ErrorCode.TYPE_MISMATCH,
          "The argument to $each in $addToSet must be an array but it was of type "
              + TypeNames.of(values.type()));
    }
    if (fields.next()) {
      throw bad("Found unexpected fields after $each in $addToSet: " + ShellText.of(argument));
    }
    return elements(values);
  }

  private static boolean popsFirst(String path, Value argument) {
    long which = Integers.of(path, argument, ErrorCode.FAILED_TO_PARSE, "");
    if (which != 1 && which != -1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "$pop expects 1 or -1, found: " + which);
    }
    return which < 0;
  }

  /**
   * Operators and regular expressions apply to elements; fields and logical operators to fields of
   * elements.
   */
  private Selection selection(Value argument) {
    boolean operators =
        FilterParser.isOperators(argument, false) && !speaksOfFields(argument.asDocument());
    if (operators || argument.type() == Type.REGEX) {
      return new Selection.Field(filter(Document.writer().put("", argument).build()));
    }
    return argument.isDocument()
        ? new Selection.Member(filter(argument.asDocument()))
        : new Selection.Equal(List.of(argument), collation);
  }

  private static boolean speaksOfFields(Document syntax) {
    Fields fields = syntax.fields();
    return fields.next() && OF_FIELDS.contains(fields.name());
  }

  private Filter filter(Document syntax) {
    return FilterParser.parse(syntax, UpdateParser.NO_EXPRESSION, collation);
  }

  private static List<Value> all(Value argument) {
    if (!argument.isArray()) {
      throw bad(
          "$pullAll requires an array argument but was given a " + TypeNames.of(argument.type()));
    }
    return elements(argument);
  }

  private static Modifier bitwise(Value argument) {
    if (!argument.isDocument()) {
      throw bad(
          "The $bit modifier is not compatible with a "
              + TypeNames.of(argument.type())
              + ". You must pass in an embedded document: {$bit: {field: {and/or/xor: #}}");
    }
    List<Bitwise.Operation> operations = new ArrayList<>();
    Fields fields = argument.asDocument().fields();
    while (fields.next()) {
      operations.add(operation(fields));
    }
    if (operations.isEmpty()) {
      throw bad(
          "You must pass in at least one bitwise operation. The format is: {$bit: {field:"
              + " {and/or/xor: #}}");
    }
    return new Bitwise(operations);
  }

  private static Bitwise.Operation operation(Fields field) {
    Value value = field.value();
    Bitwise.Combination how =
        switch (field.name()) {
          case "and" -> Bitwise.Combination.AND;
          case "or" -> Bitwise.Combination.OR;
          case "xor" -> Bitwise.Combination.XOR;
          default ->
              throw bad(
                  "The $bit modifier only supports 'and', 'or', and 'xor', not '"
                      + field.name()
                      + "' which is an unknown operator: {"
                      + ShellText.field(field.name(), value)
                      + "}");
        };
    if (value.type() != Type.INT32 && value.type() != Type.INT64) {
      throw bad(
          "The $bit modifier field must be an Integer(32/64 bit); a '"
              + TypeNames.of(value.type())
              + "' is not supported here: {"
              + ShellText.field(field.name(), value)
              + "}");
    }
    return new Bitwise.Operation(how, value);
  }

  private static List<Value> elements(Value array) {
    List<Value> values = new ArrayList<>();
    Fields elements = array.asDocument().fields();
    while (elements.next()) {
      values.add(elements.value());
    }
    return values;
  }
}
