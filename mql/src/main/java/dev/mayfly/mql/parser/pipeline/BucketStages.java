package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.parser.ProjectShape;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.BucketKey;
import dev.mayfly.mql.pipeline.Granularity;
import dev.mayfly.mql.pipeline.GroupField;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.Query;
import dev.mayfly.query.ShellText;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Parser of {@code $bucket} and {@code $bucketAuto}. */
final class BucketStages {
  private static final List<GroupField> COUNT = List.of(GroupField.count("count"));

  private BucketStages() {}

  static List<Stage> bucket(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(
          40201,
          "Argument to $bucket stage must be an object, but found type: "
              + Syntax.typeOf(specification)
              + ".");
    }
    Document options = specification.asDocument();
    refuseUnknown(
        options,
        List.of("groupBy", "boundaries", "default", "output"),
        40197,
        "Unrecognized option to $bucket: ");
    if (options.field("groupBy").isMissing() || options.field("boundaries").isMissing()) {
      throw Syntax.failure(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
    }
    return bucket(options, syntax);
  }

  private static List<Stage> bucket(Document options, Syntax syntax) {
    Expression value =
        groupBy(
            options.field("groupBy"),
            40202,
            "The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression,"
                + " but found: ",
            syntax);
    List<Value> boundaries = boundaries(options.field("boundaries"), syntax);
    Comparator<Value> order = syntax.variables().order();
    requireAscending(boundaries, order);
    Optional<Value> otherwise = otherwise(options.field("default"), boundaries, order, syntax);
    Expression key = new BucketKey(value, boundaries, otherwise, order);
    Value output = options.field("output");
    List<GroupField> gatherings =
        output.isMissing() ? COUNT : output(output, 40196, "The $bucket 'output' field", syntax);
    return List.of(
        new Stage.Group(key, gatherings),
        new Stage.Order(List.of(Sort.ascending(FieldPath.of("_id"))), Query.NO_LIMIT));
  }

  private static List<Value> boundaries(Value specification, Syntax syntax) {
    if (!specification.isArray()) {
      throw Syntax.failure(
          40200,
          "The $bucket 'boundaries' field must be an array, but found type: "
              + Syntax.typeOf(specification)
              + ".");
    }
    List<Value> boundaries = new ArrayList<>();
    for (Value element : Syntax.elements(specification)) {
      boundaries.add(
          constant(
              element,
              40191,
              "The $bucket 'boundaries' field must be an array of constant values, but found"
                  + " value: ",
              syntax));
    }
    if (boundaries.size() < 2) {
      throw Syntax.failure(
          40192,
          "The $bucket 'boundaries' field must have at least 2 values, but found "
              + boundaries.size()
              + " value(s).");
    }
    return boundaries;
  }

  private static void requireAscending(List<Value> boundaries, Comparator<Value> order) {
    for (int i = 1; i < boundaries.size(); i++) {
      Value lower = boundaries.get(i - 1);
      Value upper = boundaries.get(i);
      if (!isSameKind(lower, upper)) {
        throw Syntax.failure(
            40193,
            "All values in the the 'boundaries' option to $bucket must have the same type. Found"
                + " conflicting types "
                + Syntax.typeOf(lower)
                + " and "
                + Syntax.typeOf(upper)
                + ".");
      }
      if (order.compare(lower, upper) >= 0) {
        throw Syntax.failure(
            40194,
            "The 'boundaries' option to $bucket must be sorted, but elements "
                + (i - 1)
                + " and "
                + i
                + " are not in ascending order ("
                + ShellText.of(lower)
                + " is not less than "
                + ShellText.of(upper)
                + ").");
      }
    }
  }

  private static Optional<Value> otherwise(
      Value specification, List<Value> boundaries, Comparator<Value> order, Syntax syntax) {
    if (specification.isMissing()) {
      return Optional.empty();
    }
    Value value =
        constant(
            specification,
            40195,
            "The $bucket 'default' field must be a constant expression, but found: ",
            syntax);
    boolean between =
        isSameKind(value, boundaries.getFirst())
            && order.compare(value, boundaries.getFirst()) >= 0
            && order.compare(value, boundaries.getLast()) < 0;
    if (between) {
      throw Syntax.failure(
          40199,
          "The $bucket 'default' field must be less than the lowest boundary or greater than or"
              + " equal to the highest boundary.");
    }
    return Optional.of(value);
  }

  private static Value constant(Value specification, int code, String message, Syntax syntax) {
    if (syntax.expression(specification) instanceof Literal(Value value)) {
      return value;
    }
    throw Syntax.failure(code, message + ShellText.of(specification) + ".");
  }

  private static boolean isSameKind(Value a, Value b) {
    return a.type() == b.type() || (a.isNumber() && b.isNumber());
  }

  static List<Stage> bucketAuto(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(
          40240,
          "The argument to $bucketAuto must be an object, but found type: "
              + Syntax.typeOf(specification)
              + ".");
    }
    Document options = specification.asDocument();
    refuseUnknown(
        options,
        List.of("groupBy", "buckets", "output", "granularity"),
        40245,
        "Unrecognized option to $bucketAuto: ");
    if (options.field("groupBy").isMissing() || options.field("buckets").isMissing()) {
      throw Syntax.failure(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
    }
    Expression key =
        groupBy(
            options.field("groupBy"),
            40239,
            "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an"
                + " expression object, but found: ",
            syntax);
    Value output = options.field("output");
    return List.of(
        new Stage.Buckets(
            key,
            buckets(options.field("buckets")),
            output.isMissing()
                ? COUNT
                : keyless(output(output, 40244, "The $bucketAuto 'output' field", syntax)),
            granularity(options.field("granularity"))));
  }

  /** Rejects accumulators that depend on the group key, which buckets do not have. */
  private static List<GroupField> keyless(List<GroupField> gatherings) {
    if (!gatherings.stream().allMatch(one -> one.accumulation().alike())) {
      throw Syntax.failure(4544714, "Can't refer to the group key in $bucketAuto");
    }
    return gatherings;
  }

  private static int buckets(Value specification) {
    if (!specification.isNumber()) {
      throw Syntax.failure(
          40241,
          "The $bucketAuto 'buckets' field must be a numeric value, but found type: "
              + Syntax.typeOf(specification));
    }
    if (specification.asDouble() != specification.asInt()) {
      throw Syntax.failure(
          40242,
          "The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found "
              + ShellText.of(specification));
    }
    if (specification.asInt() <= 0) {
      throw Syntax.failure(
          40243,
          "The $bucketAuto 'buckets' field must be greater than 0, but found: "
              + ShellText.of(specification));
    }
    return specification.asInt();
  }

  private static Optional<Granularity> granularity(Value specification) {
    if (specification.isMissing()) {
      return Optional.empty();
    }
    String name =
        Syntax.text(
            specification,
            40261,
            "The $bucketAuto 'granularity' field must be a string, but found type: ");
    Optional<Granularity> granularity = Granularity.of(name);
    if (granularity.isEmpty()) {
      throw Syntax.failure(40257, "Unknown rounding granularity '" + name + "'");
    }
    return granularity;
  }

  private static List<GroupField> output(
      Value specification, int code, String what, Syntax syntax) {
    return GroupStages.gatherings(
        Syntax.object(specification, code, what + " must be an object, but found type: "), syntax);
  }

  private static Expression groupBy(Value specification, int code, String message, Syntax syntax) {
    boolean path = specification.type() == Type.STRING && specification.asString().startsWith("$");
    boolean operator =
        specification.isDocument()
            && !specification.asDocument().isEmpty()
            && !ProjectShape.isNested(specification);
    if (!path && !operator) {
      throw Syntax.failure(code, message + ShellText.of(specification) + ".");
    }
    return syntax.expression(specification);
  }

  private static void refuseUnknown(
      Document options, List<String> known, int code, String message) {
    Fields fields = options.fields();
    while (fields.next()) {
      if (!known.contains(fields.name())) {
        throw Syntax.failure(code, message + fields.name() + ".");
      }
    }
  }
}
