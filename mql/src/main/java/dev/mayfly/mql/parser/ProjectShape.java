package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.pipeline.Reshaper;
import dev.mayfly.mql.pipeline.Shape;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Parsed {@code $project}: included, excluded and computed fields.
 *
 * <p>A projection includes or excludes fields, not both. Only {@code _id} may differ from the
 * others; it is included by default.
 */
public final class ProjectShape {
  private final Syntax syntax;
  private final ShapeBuilder shape = new ShapeBuilder("$project");
  private boolean includes;
  private boolean excludes;
  private boolean computes;
  private boolean idExcluded;

  private ProjectShape(Syntax syntax) {
    this.syntax = syntax;
  }

  public static Stage parse(Document specification, Syntax syntax) {
    if (specification.isEmpty()) {
      throw Syntax.failure(
          51272,
          "Invalid $project :: caused by :: projection specification must have at least one field");
    }
    ProjectShape project = new ProjectShape(syntax);
    project.read("", specification);
    return project.stage();
  }

  /**
   * Returns whether the value is a nested projection: a non-empty object that is not an operator.
   */
  public static boolean isNested(Value value) {
    if (!value.isDocument()) {
      return false;
    }
    Fields first = value.asDocument().fields();
    return first.next() && !first.name().startsWith("$");
  }

  private void read(String prefix, Document specification) {
    Fields fields = specification.fields();
    while (fields.next()) {
      read(prefix + fields.name(), fields.value());
    }
  }

  private void read(String path, Value value) {
    if (isNested(value)) {
      read(path + ".", value.asDocument());
    } else if (value.isDocument() && value.asDocument().isEmpty()) {
      throw Syntax.failure(
          51270,
          "Invalid $project :: caused by :: An empty sub-projection is not a valid value. Found"
              + " empty object at path");
    } else if (value.isNumber() || value.type() == Type.BOOLEAN) {
      flag(path, value.isNumber() ? value.asDouble() != 0 : value.asBoolean());
    } else if (ExpressionParser.isUnknown(value)) {
      throw Syntax.failure(
          31325,
          "Invalid $project :: caused by :: Unknown expression "
              + ProjectionParser.firstName(value.asDocument()));
    } else {
      computes = true;
      shape.put(path, new Shape.Compute(syntax.expression(value)));
    }
  }

  private void flag(String path, boolean included) {
    shape.put(path, included ? new Shape.Keep() : new Shape.Drop());
    if (path.equals("_id")) {
      idExcluded = !included;
      return;
    }
    if (included && excludes) {
      throw mixed(31253, "inclusion on field " + path + " in exclusion");
    }
    if (!included && (includes || computes)) {
      throw mixed(31254, "exclusion on field " + path + " in inclusion");
    }
    includes |= included;
    excludes |= !included;
  }

  private Stage stage() {
    boolean inclusion = includes || computes || (!excludes && !idExcluded);
    if (excludes && computes) {
      throw Syntax.failure(
          31252,
          "Invalid $project :: caused by :: Cannot use expression other than $meta in exclusion"
              + " projection");
    }
    if (inclusion && !shape.build().fields().containsKey("_id")) {
      shape.put("_id", new Shape.Keep());
    }
    return Reshaper.stage(shape.build(), inclusion ? Shape.Others.LEFT_OUT : Shape.Others.KEPT);
  }

  private static CommandException mixed(int code, String what) {
    return Syntax.failure(
        code, "Invalid $project :: caused by :: Cannot do " + what + " projection");
  }
}
