package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.parser.ProjectShape;
import dev.mayfly.mql.parser.ShapeBuilder;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.ReplaceRoot;
import dev.mayfly.mql.pipeline.Reshaper;
import dev.mayfly.mql.pipeline.Shape;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/** Parser of stages that reshape each document. */
final class ShapeStages {
  private ShapeStages() {}

  static List<Stage> project(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(15969, "$project specification must be an object");
    }
    return List.of(ProjectShape.parse(specification.asDocument(), syntax));
  }

  static List<Stage> addFields(Value specification, Syntax syntax) {
    return List.of(added("$addFields", specification, syntax));
  }

  static List<Stage> set(Value specification, Syntax syntax) {
    return List.of(added("$set", specification, syntax));
  }

  private static Stage added(String name, Value specification, Syntax syntax) {
    Document fields =
        Syntax.object(specification, 40272, name + " specification stage must be an object, got ");
    AddedFields.check(name, fields);
    ShapeBuilder shape = new ShapeBuilder(name);
    add("", fields, shape, syntax);
    return Reshaper.stage(shape.build(), Shape.Others.KEPT);
  }

  private static void add(String prefix, Document fields, ShapeBuilder shape, Syntax syntax) {
    Fields each = fields.fields();
    while (each.next()) {
      String path = prefix + each.name();
      Value value = each.value();
      if (ProjectShape.isNested(value)) {
        add(path + ".", value.asDocument(), shape, syntax);
      } else {
        shape.put(path, new Shape.Compute(syntax.expression(value)));
      }
    }
  }

  static List<Stage> unset(Value specification, Syntax syntax) {
    ShapeBuilder shape = new ShapeBuilder("$unset");
    for (Value name : names(specification)) {
      if (name.type() != Type.STRING) {
        throw Syntax.failure(
            31120,
            "$unset specification must be a string or an array containing only string values");
      }
      shape.put(name.asString(), new Shape.Drop());
    }
    return List.of(Reshaper.stage(shape.build(), Shape.Others.KEPT));
  }

  private static List<Value> names(Value specification) {
    if (specification.type() == Type.STRING) {
      return List.of(specification);
    }
    if (!specification.isArray()) {
      throw Syntax.failure(31002, "$unset specification must be a string or an array");
    }
    List<Value> names = Syntax.elements(specification);
    if (names.isEmpty()) {
      throw Syntax.failure(
          31119, "$unset specification must be a string or an array with at least one field");
    }
    return names;
  }

  static List<Stage> replaceRoot(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(
            specification,
            40229,
            "expected an object as specification for $replaceRoot stage, got ");
    Syntax.refuseUnknown(options, Set.of("newRoot"), "$replaceRoot");
    Value root = options.field("newRoot");
    if (root.isMissing()) {
      throw Syntax.failure(
          40414, "BSON field '$replaceRoot.newRoot' is missing but a required field");
    }
    return List.of(ReplaceRoot.stage(syntax.expression(root), "'newRoot' expression "));
  }

  static List<Stage> replaceWith(Value specification, Syntax syntax) {
    return List.of(ReplaceRoot.stage(syntax.expression(specification), "'replacement document' "));
  }
}
