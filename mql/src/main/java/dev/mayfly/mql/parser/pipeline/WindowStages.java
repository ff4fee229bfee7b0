package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.parser.ShapeBuilder;
import dev.mayfly.mql.parser.SortParser;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.Reshaper;
import dev.mayfly.mql.pipeline.Shape;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.WindowFunction;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parser of stages that compute fields from neighbouring documents. */
final class WindowStages {
  private static final Set<String> OPTIONS = Set.of("partitionBy", "sortBy", "output");
  private static final Set<String> FILL_OPTIONS =
      Set.of("partitionBy", "partitionByFields", "sortBy", "output");

  private static final Set<String> FILL_OUTPUT = Set.of("method", "value");
  private static final Value LINEAR = Value.of("linear");

  private WindowStages() {}

  static List<Stage> setWindowFields(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(
            specification, 9, "the $setWindowFields stage specification must be an object, found ");
    Syntax.refuseUnknown(options, OPTIONS, "$setWindowFields");
    Document output = output(options, "$setWindowFields");
    List<Sort> order = order(options.field("sortBy"));
    WindowFunctionParser functions = new WindowFunctionParser(syntax, order);
    List<Stage.Output> outputs = new ArrayList<>();
    Fields each = output.fields();
    while (each.next()) {
      outputs.add(
          new Stage.Output(Syntax.path(each.name()), functions.parse(each.name(), each.value())));
    }
    return List.of(
        new Stage.Window(partition(options.field("partitionBy"), syntax), order, outputs));
  }

  private static Document output(Document options, String stage) {
    Value output = options.field("output");
    if (output.isMissing()) {
      throw Syntax.failure(
          40414, "BSON field '" + stage + ".output' is missing but a required field");
    }
    return Syntax.object(
        output, 14, "BSON field '" + stage + ".output' must be an object, but found ");
  }

  private static List<Sort> order(Value specification) {
    return specification.isMissing()
        ? List.of()
        : SortParser.parse(
            Syntax.object(specification, 14, "'sortBy' must be an object, but found "));
  }

  private static Expression partition(Value specification, Syntax syntax) {
    return specification.isMissing() ? Literal.NULL : syntax.expression(specification);
  }

  static List<Stage> fill(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(specification, 9, "the $fill stage specification must be an object, found ");
    Syntax.refuseUnknown(options, FILL_OPTIONS, "$fill");
    boolean both =
        !options.field("partitionBy").isMissing()
            && !options.field("partitionByFields").isMissing();
    if (both) {
      throw Syntax.failure(
          6050204,
          "Maximum one of 'partitionBy' and 'partitionByFields can be specified in '$fill'");
    }
    List<Stage.Output> outputs = new ArrayList<>();
    ShapeBuilder values = new ShapeBuilder("$fill");
    List<Sort> order = order(options.field("sortBy"));
    Document output = output(options, "$fill");
    if (output.isEmpty()) {
      throw Syntax.failure(6050203, "The output field in '$fill' must have at least one field");
    }
    Fields each = output.fields();
    while (each.next()) {
      Document how =
          Syntax.object(each.value(), 6050200, "Each fill output must be an object, but found ");
      Syntax.refuseUnknown(how, FILL_OUTPUT, "$fill.output");
      if (how.field("method").equals(LINEAR)) {
        WindowFunctionParser.requireLine(order);
      }
      if (how.field("value").isMissing()) {
        outputs.add(new Stage.Output(Syntax.path(each.name()), method(each.name(), how, syntax)));
      } else {
        values.put(each.name(), orElse(each.name(), how.field("value"), syntax));
      }
    }
    List<Stage> stages = new ArrayList<>();
    if (!outputs.isEmpty()) {
      stages.add(new Stage.Window(fillPartition(options, syntax), order, outputs));
    }
    if (!values.build().fields().isEmpty()) {
      stages.add(Reshaper.stage(values.build(), Shape.Others.KEPT));
    }
    return stages;
  }

  private static WindowFunction method(String field, Document how, Syntax syntax) {
    Value method = how.field("method");
    Expression value = syntax.expression(Value.of("$" + field));
    return switch (method.type() == Type.STRING ? method.asString() : "") {
      case "linear" -> new WindowFunction.LinearFill(value);
      case "locf" -> new WindowFunction.CarriedForward(value);
      default -> throw Syntax.failure(6050202, "Method must be either 'locf' or 'linear'");
    };
  }

  private static Shape orElse(String field, Value value, Syntax syntax) {
    Value operands = Value.array(List.of(Value.of("$" + field), value));
    Document ifNull = Document.writer().put("$ifNull", operands).build();
    return new Shape.Compute(syntax.expression(Value.of(ifNull)));
  }

  private static Expression fillPartition(Document options, Syntax syntax) {
    Value fields = options.field("partitionByFields");
    if (fields.isMissing()) {
      return partition(options.field("partitionBy"), syntax);
    }
    DocumentWriter key = Document.writer();
    List<Value> names = fields.isArray() ? Syntax.elements(fields) : List.of();
    for (int i = 0; i < names.size(); i++) {
      String name = Syntax.text(names.get(i), 14, "'partitionByFields' must hold strings, not ");
      key.put("k" + i, "$" + Syntax.path(name));
    }
    return syntax.expression(Value.of(key.build()));
  }
}
