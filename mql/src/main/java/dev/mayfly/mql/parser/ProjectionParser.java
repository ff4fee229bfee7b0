package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.pipeline.Reshaper;
import dev.mayfly.mql.pipeline.Shape;
import dev.mayfly.mql.projection.ElemMatchProjection;
import dev.mayfly.mql.projection.PositionalProjection;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.mql.projection.Slice;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Parser of projections in {@code find} and {@code findAndModify}.
 *
 * <p>A projection includes or excludes fields, not both. Only {@code _id} may differ from the
 * others; it is included by default. {@code $slice}, {@code $elemMatch} and {@code $} go with both.
 */
public final class ProjectionParser {
  private static final String ID = "_id";

  private final Filter query;
  private final Variables variables;
  private final Map<String, Shape> shapes = new LinkedHashMap<>();
  private final List<Slice> slices = new ArrayList<>();
  private Optional<PositionalProjection> found = Optional.empty();
  private Optional<Boolean> id = Optional.empty();
  private boolean includes;
  private boolean excludes;
  private boolean computes;
  private boolean matchesElements;

  private ProjectionParser(Filter query, Variables variables) {
    this.query = query;
    this.variables = variables;
  }

  /**
   * Parses a projection of documents that the query matches.
   *
   * @throws CommandException if the syntax is invalid
   */
  public static Projection parse(Document syntax, Filter query, Variables variables) {
    if (syntax.isEmpty()) {
      return Projection.whole();
    }
    ProjectionParser parser = new ProjectionParser(query, variables);
    parser.members("", syntax);
    return parser.projection();
  }

  private void members(String prefix, Document syntax) {
    Fields fields = syntax.fields();
    while (fields.next()) {
      field(prefix + fields.name(), fields.value());
    }
  }

  private void field(String path, Value value) {
    if (path.endsWith(".$")) {
      positional(path, value);
    } else if (value.isNumber() || value.type() == Type.BOOLEAN) {
      flag(path, value.isNumber() ? value.asDouble() != 0 : value.asBoolean());
    } else if (value.isDocument()) {
      object(path, value.asDocument());
    } else {
      compute(path, value);
    }
  }

  private void flag(String path, boolean included) {
    put(path, included ? new Shape.Keep() : new Shape.Drop());
    if (path.equals(ID)) {
      id = Optional.of(included);
    } else {
      note(path, included);
    }
  }

  private void note(String path, boolean included) {
    if (included && excludes) {
      throw failure(31253, "Cannot do inclusion on field " + path + " in exclusion projection");
    }
    if (!included && (includes || computes)) {
      throw failure(31254, "Cannot do exclusion on field " + path + " in inclusion projection");
    }
    includes |= included;
    excludes |= !included;
  }

  private void object(String path, Document syntax) {
    Fields fields = syntax.fields();
    if (!fields.next()) {
      throw failure(
          51270, "An empty sub-projection is not a valid value. Found empty object at path");
    }
    if (!fields.name().startsWith("$")) {
      members(path + ".", syntax);
      return;
    }
    switch (fields.name()) {
      case "$slice" -> slice(path, fields.value(), Value.of(syntax));
      case "$elemMatch" -> elementMatch(path, fields.value());
      case "$meta" ->
          put(path, new Shape.Compute(ExpressionParser.parse(Value.of(syntax), variables)));
      default -> compute(path, Value.of(syntax));
    }
  }

  static String firstName(Document syntax) {
    Fields fields = syntax.fields();
    fields.next();
    return fields.name();
  }

  private void compute(String path, Value syntax) {
    if (ExpressionParser.isUnknown(syntax)) {
      throw failure(31325, "Unknown expression " + firstName(syntax.asDocument()));
    }
    put(path, new Shape.Compute(ExpressionParser.parse(syntax, variables)));
    if (excludes) {
      throw failure(31252, "Cannot use expression other than $meta in exclusion projection");
    }
    computes = true;
  }

  /**
   * Parses {@code $slice} of {@code find}: a number, or skip and limit; anything else is an
   * expression.
   */
  private void slice(String path, Value argument, Value syntax) {
    FieldPath at = path(path);
    if (argument.isNumber()) {
      put(path, new Shape.Keep());
      slices.add(Slice.of(at, argument.asLong()));
      return;
    }
    Optional<Slice> stretch = argument.isArray() ? stretch(at, argument) : Optional.empty();
    if (stretch.isEmpty()) {
      compute(path, syntax);
      return;
    }
    put(path, new Shape.Keep());
    slices.add(stretch.get());
  }

  private static Optional<Slice> stretch(FieldPath at, Value argument) {
    List<Value> parts = new ArrayList<>();
    Fields each = argument.asDocument().fields();
    while (each.next()) {
      parts.add(each.value());
    }
    if (parts.size() != 2 || !parts.stream().allMatch(Value::isNumber)) {
      return Optional.empty();
    }
    if (parts.getLast().asLong() <= 0) {
      throw failure(28724, "First argument to $slice must be an array, but is of type: int");
    }
    return Optional.of(new Slice(at, parts.getFirst().asLong(), parts.getLast().asLong()));
  }

  private void elementMatch(String path, Value argument) {
    if (!argument.isDocument()) {
      throw failure(
          31274,
          "elemMatch: Invalid argument, object required, but got " + TypeNames.of(argument.type()));
    }
    if (path.indexOf('.') >= 0) {
      throw failure(31275, "Cannot use $elemMatch projection on a nested field.");
    }
    if (found.isPresent()) {
      throw failure(31255, "Cannot specify positional operator and $elemMatch.");
    }
    Document condition =
        Document.writer().startDocument(path).put("$elemMatch", argument).end().build();
    Filter filter = FilterParser.parse(condition, variables, Collation.SIMPLE);
    put(path, new Shape.Compute(new ElemMatchProjection((Filter.ElementMatch) filter)));
    matchesElements = true;
  }

  private void positional(String path, Value value) {
    boolean included =
        value.isNumber()
            ? value.asDouble() != 0
            : value.type() == Type.BOOLEAN && value.asBoolean();
    if (value.isDocument()) {
      throw failure(31271, "positional projection cannot be used with an expression or sub object");
    }
    if (!included) {
      throw failure(31395, "positional projection cannot be used with exclusion");
    }
    if (found.isPresent()) {
      throw failure(31276, "Cannot specify more than one positional projection per query.");
    }
    if (matchesElements) {
      throw failure(31256, "Cannot specify positional operator and $elemMatch.");
    }
    String array = path.substring(0, path.length() - 2);
    put(array, new Shape.Keep());
    note(path, true);
    found = Optional.of(new PositionalProjection(path(array), query));
  }

  private void put(String path, Shape shape) {
    path(path);
    shapes.forEach((other, _) -> refuseCollision(other, path));
    shapes.put(path, shape);
  }

  private static void refuseCollision(String before, String path) {
    if (path.equals(before) || before.startsWith(path + ".")) {
      throw failure(31250, "Path collision at " + path);
    }
    if (path.startsWith(before + ".")) {
      throw failure(
          31249,
          "Path collision at "
              + path
              + " remaining portion "
              + path.substring(before.length() + 1));
    }
  }

  private static FieldPath path(String text) {
    FieldPath path = DottedPath.of(text);
    for (int i = 0; i < path.length(); i++) {
      if (path.step(i).equals("$")) {
        throw failure(
            31394,
            "As of 4.4, it's illegal to specify positional operator in the middle of a path."
                + " Positional projection may only be used at the end, for example: a.b.$. If the"
                + " query previously used a form like a.b.$.d, remove the parts following the '$'"
                + " and the results will be equivalent.");
      }
      if (path.step(i).isEmpty()) {
        throw emptyName(text);
      }
      boolean reference = List.of("$id", "$ref", "$db").contains(path.step(i));
      if (path.step(i).startsWith("$") && !reference) {
        throw failure(
            16410,
            "FieldPath field names may not start with '$'. Consider using $getField or $setField.");
      }
    }
    return path;
  }

  private static CommandException emptyName(String path) {
    if (path.isEmpty()) {
      return failure(40352, "FieldPath cannot be constructed with empty string");
    }
    return path.endsWith(".")
        ? failure(40353, "FieldPath must not end with a '.'.")
        : failure(15998, "FieldPath field names may not be empty strings.");
  }

  private Projection projection() {
    if (found.isPresent() && !slices.isEmpty()) {
      throw failure(31256, "Cannot specify positional operator and $slice");
    }
    List<Projection.ArrayChange> changes = new ArrayList<>(slices);
    found.ifPresent(changes::add);
    if (isInclusion()) {
      if (!shapes.containsKey(ID) && !hasNestedId()) {
        shapes.put(ID, new Shape.Keep());
      }
    } else {
      // Sliced arrays keep their position among all fields.
      shapes.values().removeIf(shape -> shape instanceof Shape.Keep);
    }
    Shape.Others others = isInclusion() ? Shape.Others.LEFT_OUT : Shape.Others.KEPT;
    return Projection.of(Reshaper.stage(tree(shapes), others).step(), changes);
  }

  /** If no field decides it, {@code $elemMatch} includes and {@code $slice} excludes. */
  private boolean isInclusion() {
    boolean undecided = !excludes && (matchesElements || (slices.isEmpty() && id.orElse(false)));
    return includes || computes || undecided;
  }

  private boolean hasNestedId() {
    return shapes.keySet().stream().anyMatch(path -> path.startsWith(ID + "."));
  }

  /** Converts shapes at dotted paths to nested shapes. */
  private static Shape.Nested tree(Map<String, Shape> dotted) {
    Map<String, Map<String, Shape>> inner = new LinkedHashMap<>();
    Map<String, Shape> fields = new LinkedHashMap<>();
    dotted.forEach(
        (path, shape) -> {
          int dot = path.indexOf('.');
          if (dot < 0) {
            fields.put(path, shape);
          } else {
            String name = path.substring(0, dot);
            inner
                .computeIfAbsent(name, _ -> new LinkedHashMap<>())
                .put(path.substring(dot + 1), shape);
            fields.putIfAbsent(name, shape);
          }
        });
    inner.forEach((name, members) -> fields.put(name, tree(members)));
    return new Shape.Nested(fields);
  }

  private static CommandException failure(int number, String message) {
    return new CommandException(ErrorCode.location(number), message);
  }
}
