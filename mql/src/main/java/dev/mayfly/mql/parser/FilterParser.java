package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.Filter;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Parser of query documents, as in {@code find} and {@code $match}.
 *
 * <p>Reads documents: fields, and operators in place of fields. {@link OperatorParser} reads the
 * operators of one field.
 */
public final class FilterParser {
  private static final FieldPath ID = FieldPath.of("_id");

  private final Function<Value, DocumentPredicate> expressions;
  private final OperatorParser operators;

  /** What the fields of a query document refer to. */
  enum Level {
    /** The document itself. */
    DOCUMENT,
    /** An embedded object, as in {@code $elemMatch}. */
    MEMBER
  }

  private FilterParser(Function<Value, DocumentPredicate> expressions, Collation collation) {
    this.expressions = expressions;
    this.operators = new OperatorParser(this, collation);
  }

  /**
   * Parses a query document.
   *
   * @throws CommandException if the syntax is invalid
   */
  public static Filter parse(Document syntax, Variables variables, Collation collation) {
    Variables ordered = collation.simple() ? variables : variables.collated(collation);
    return parse(
        syntax,
        expression -> new ExpressionPredicate(ExpressionParser.parse(expression, ordered), ordered),
        collation);
  }

  /** Parses a query document whose {@code $expr} is read by another parser. */
  public static Filter parse(
      Document syntax, Function<Value, DocumentPredicate> expressions, Collation collation) {
    FilterParser parser = new FilterParser(expressions, collation);
    Filter filter = parser.document(syntax, Level.DOCUMENT);
    if (parser.operators.nears() > 0) {
      GeoSyntax.requireNearOnTop(filter, parser.operators.nears());
    }
    return filter;
  }

  Filter document(Document syntax, Level level) {
    List<Filter> members = new ArrayList<>(4);
    Fields fields = syntax.fields();
    while (fields.next()) {
      Interrupt.steps(1);
      String name = fields.name();
      Value value = fields.value();
      members.add(name.startsWith("$") ? operator(name, value, level) : field(name, value));
    }
    return members.size() == 1 ? members.getFirst() : Filter.and(members);
  }

  private Filter field(String name, Value value) {
    FieldPath path = name.equals("_id") ? ID : DottedPath.of(name);
    if (isOperators(value, false)) {
      return operators.all(path, value.asDocument());
    }
    return value.type() == Type.REGEX
        ? new Filter.Regex(path, Patterns.literal(value))
        : operators.equal(path, value);
  }

  private Filter operator(String name, Value value, Level level) {
    return switch (name) {
      case "$and" -> Filter.and(members(name, value, level));
      case "$or" -> either(members(name, value, level));
      case "$nor" -> new Filter.Not(new Filter.Or(members(name, value, level)));
      case "$comment" -> Filter.all();
      case "$expr" -> expr(name, value, level);
      case "$jsonSchema" -> schema(value);
      case "$sampleRate" -> sample(name, value, level);
      case "$alwaysTrue" -> constant(name, value, Filter.all());
      case "$alwaysFalse" -> constant(name, value, Filter.none());
      case "$ref", "$id", "$db" -> operators.equal(FieldPath.of(List.of(name)), value);
      case "$text" -> throw text(level);
      case "$where" -> throw where(level);
      case "$not" ->
          throw bad(
              "unknown top level operator: $not. If you are trying to negate an entire expression,"
                  + " use $nor.");
      default ->
          throw bad(
              "unknown top level operator: "
                  + name
                  + ". If you have a field name that starts with a '$' symbol, consider using"
                  + " $getField or $setField.");
    };
  }

  private static Filter either(List<Filter> members) {
    return members.size() == 1 ? members.getFirst() : new Filter.Or(members);
  }

  private List<Filter> members(String name, Value value, Level level) {
    if (!value.isArray()) {
      throw bad(name + " must be an array");
    }
    List<Filter> members = new ArrayList<>();
    Fields elements = value.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw bad("$or/$and/$nor entries need to be full objects");
      }
      members.add(document(elements.value().asDocument(), level));
    }
    if (members.isEmpty()) {
      throw bad("$and/$or/$nor must be a nonempty array");
    }
    return members;
  }

  private Filter expr(String name, Value value, Level level) {
    requireDocument(name, level);
    return new Filter.Expr(expressions.apply(value));
  }

  private static Filter schema(Value value) {
    if (!value.isDocument()) {
      throw new CommandException(ErrorCode.TYPE_MISMATCH, "$jsonSchema must be an object");
    }
    return new Filter.Conforms(JsonSchemaParser.parse(value.asDocument()));
  }

  private static Filter sample(String name, Value value, Level level) {
    requireDocument(name, level);
    if (!value.isNumber()) {
      throw bad("argument to $sampleRate must be a numeric type");
    }
    double share = value.asDouble();
    if (!(share >= 0 && share <= 1)) {
      throw bad("numeric argument to $sampleRate must be in [0, 1]");
    }
    return share == 0 ? Filter.none() : share == 1 ? Filter.all() : new Filter.Sampled(share);
  }

  private static Filter constant(String name, Value value, Filter filter) {
    if (Integers.of(name, value, ErrorCode.FAILED_TO_PARSE, "") != 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, name + " must be an integer value of 1");
    }
    return filter;
  }

  /** Text indexes are not supported; the error is that of a collection without one. */
  private static CommandException text(Level level) {
    requireDocument("$text", level);
    return new CommandException(ErrorCode.INDEX_NOT_FOUND, "text index required for $text query");
  }

  private static CommandException where(Level level) {
    requireDocument("$where", level);
    return bad("no globalScriptEngine in $where parsing");
  }

  private static void requireDocument(String name, Level level) {
    if (level == Level.MEMBER) {
      throw bad(name + " can only be applied to the top-level document");
    }
  }

  /**
   * Returns whether the value is an object of operators, judged by its first field; a DBRef is not.
   *
   * @param incomplete whether one field of a DBRef is enough to be one
   */
  public static boolean isOperators(Value value, boolean incomplete) {
    if (!value.isDocument()) {
      return false;
    }
    Document document = value.asDocument();
    Fields fields = document.fields();
    if (!fields.next()
        || fields.nameLength() == 0
        || document.buffer()[fields.nameOffset()] != '$') {
      return false;
    }
    boolean ref = !document.field("$ref").isMissing();
    boolean id = !document.field("$id").isMissing();
    boolean reference = incomplete ? ref || id || !document.field("$db").isMissing() : ref && id;
    return !reference;
  }

  public static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
