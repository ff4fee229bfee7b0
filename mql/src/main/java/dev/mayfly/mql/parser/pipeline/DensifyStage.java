package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.function.DateUnits;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.pipeline.Stage.Extent;
import dev.mayfly.mql.pipeline.Stride;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Parser of {@code $densify}: adds documents for missing values of a field. */
final class DensifyStage {
  private static final Set<String> OPTIONS = Set.of("field", "partitionByFields", "range");
  private static final Set<String> RANGE = Set.of("step", "unit", "bounds");

  private DensifyStage() {}

  static List<Stage> parse(Value specification, Syntax syntax) {
    Document options =
        Syntax.object(
            specification, 9, "the $densify stage specification must be an object, found ");
    Syntax.refuseUnknown(options, OPTIONS, "$densify");
    FieldPath field =
        Syntax.path(
            Syntax.text(
                required(options, "field"),
                14,
                "BSON field '$densify.field' must be a string, not "));
    List<FieldPath> partition = partition(options.field("partitionByFields"));
    if (partition.contains(field)) {
      throw Syntax.failure(
          8993000, "BSON field '$densify.partitionByFields' holds the field that is densified");
    }
    Document range =
        Syntax.object(
            required(options, "range"), 14, "BSON field '$densify.range' must be an object, not ");
    Syntax.refuseUnknown(range, RANGE, "$densify.range");
    Stride stride = stride(range);
    Extent extent = extent(required(range, "bounds"), stride, partition);
    return List.of(
        new Stage.Order(List.of(Sort.ascending(field)), Long.MAX_VALUE),
        new Stage.Densify(field, partition, stride, extent));
  }

  private static Value required(Document options, String name) {
    Value value = options.field(name);
    if (value.isMissing()) {
      throw Syntax.failure(
          40414, "BSON field '$densify." + name + "' is missing but a required field");
    }
    return value;
  }

  private static List<FieldPath> partition(Value fields) {
    if (fields.isMissing()) {
      return List.of();
    }
    if (!fields.isArray()) {
      throw Syntax.failure(
          14,
          "BSON field '$densify.partitionByFields' is the wrong type '"
              + Syntax.typeOf(fields)
              + "', expected type 'array'");
    }
    List<FieldPath> partition = new ArrayList<>();
    for (Value name : Syntax.elements(fields)) {
      partition.add(
          Syntax.path(Syntax.text(name, 14, "'partitionByFields' must hold strings, not ")));
    }
    return partition;
  }

  private static Stride stride(Document range) {
    Value step = required(range, "step");
    if (!step.isNumber() || !(step.asDouble() > 0)) {
      throw Syntax.failure(
          5733401,
          "the step parameter in a range statement must be a strictly positive numeric value");
    }
    if (range.field("unit").isMissing()) {
      return new Stride(step, Optional.empty());
    }
    if (step.asDouble() != Math.rint(step.asDouble())) {
      throw Syntax.failure(
          6586400,
          "The step parameter in a range statement must be a whole number when densifying a"
              + " date range");
    }
    return new Stride(step, Optional.of(unit(range.field("unit"))));
  }

  private static DateUnits unit(Value name) {
    try {
      return DateUnits.of(name);
    } catch (QueryException unknown) {
      throw unknown.of("$densify");
    }
  }

  private static Extent extent(Value bounds, Stride stride, List<FieldPath> partition) {
    if (bounds.type() == Type.STRING) {
      return named(bounds.asString(), partition);
    }
    if (!bounds.isArray()) {
      throw Syntax.failure(
          5733404,
          "the bounds in a range statement must be the string 'full' or 'partition', or an"
              + " ascending array of two numbers or two dates");
    }
    List<Value> ends = Syntax.elements(bounds);
    if (ends.size() != 2) {
      throw Syntax.failure(
          5733403, "a bounding array in a range statement must have exactly two elements");
    }
    return between(ends.get(0), ends.get(1), stride);
  }

  private static Extent named(String bounds, List<FieldPath> partition) {
    return switch (bounds) {
      case "full" -> new Extent.Full();
      case "partition" -> {
        if (partition.isEmpty()) {
          throw Syntax.failure(
              5733408,
              "one may not specify the bounds as 'partition' without specifying a non-empty array"
                  + " of partitionByFields. You may have meant to specify 'full' bounds.");
        }
        yield new Extent.Series();
      }
      default ->
          throw Syntax.failure(5946802, "Bounds string must either be 'full' or 'partition'");
    };
  }

  private static Extent between(Value low, Value high, Stride stride) {
    boolean dates = low.type() == Type.DATE && high.type() == Type.DATE;
    boolean numbers = low.isNumber() && high.isNumber();
    if (!dates && !numbers) {
      throw Syntax.failure(
          5733406,
          "a bounding array must be an ascending array of either two dates or two numbers");
    }
    if (Order.MONGO.compare(low, high) > 0) {
      throw Syntax.failure(
          5733402,
          "a bounding array must be an ascending array of either two dates or two numbers");
    }
    if (numbers && stride.unit().isPresent()) {
      throw Syntax.failure(5733501, "numeric bounds may not have unit parameter");
    }
    if (dates && stride.unit().isEmpty()) {
      throw Syntax.failure(5733502, "date bounds must have a unit");
    }
    return new Extent.Between(low, high);
  }
}
