package dev.mayfly.mql.parser.pipeline;

import dev.mayfly.mql.accumulator.Accumulation;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.parser.AccumulatorParser;
import dev.mayfly.mql.parser.ProjectShape;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.pipeline.GroupField;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Parser of stages that group documents: {@code $group}, {@code $sortByCount} and others. */
final class GroupStages {
  /** The operand that counts documents when it is summed. */
  private static final Expression ONE = new Literal(Value.of(1));

  /** Accumulators that keep no values. */
  private static final Set<String> COMPUTING = Set.of("$sum", "$avg", "$stdDevPop", "$stdDevSamp");

  /** Accumulators whose result depends on the order of the documents. */
  private static final Set<String> ORDERED =
      Set.of("$push", "$first", "$firstN", "$last", "$lastN", "$mergeObjects", "$concatArrays");

  private GroupStages() {}

  static List<Stage> group(Value specification, Syntax syntax) {
    if (!specification.isDocument()) {
      throw Syntax.failure(15947, "a group's fields must be specified in an object");
    }
    Document fields = specification.asDocument();
    Value key = fields.field("_id");
    if (key.isMissing()) {
      throw Syntax.failure(15955, "a group specification must include an _id");
    }
    return List.of(new Stage.Group(syntax.expression(key), gatherings(fields, syntax)));
  }

  static List<Stage> sortByCount(Value specification, Syntax syntax) {
    requireExpression(specification);
    Stage group =
        new Stage.Group(syntax.expression(specification), List.of(GroupField.count("count")));
    Stage order = new Stage.Order(List.of(Sort.descending(FieldPath.of("count"))), Query.NO_LIMIT);
    return List.of(group, order);
  }

  /** Parses the output fields of a group, without {@code _id}. */
  static List<GroupField> gatherings(Document fields, Syntax syntax) {
    List<GroupField> gatherings = new ArrayList<>();
    Fields each = fields.fields();
    while (each.next()) {
      if (!each.named("_id")) {
        gatherings.add(gathering(each.name(), each.value(), syntax));
      }
    }
    return gatherings;
  }

  private static GroupField gathering(String field, Value specification, Syntax syntax) {
    if (field.indexOf('.') >= 0) {
      throw Syntax.failure(40235, "The field name '" + field + "' cannot contain '.'");
    }
    if (field.startsWith("$")) {
      throw Syntax.failure(40236, "The field name '" + field + "' cannot be an operator name");
    }
    Accumulation accumulation = AccumulatorParser.parse(field, specification, syntax.variables());
    Fields operator = specification.asDocument().fields();
    operator.next();
    return new GroupField(field, accumulation, kind(operator.name(), accumulation.input()));
  }

  private static GroupField.Kind kind(String operator, Expression input) {
    boolean ones = operator.equals("$sum") && input.equals(ONE);
    if (ones || operator.equals("$count")) {
      return GroupField.Kind.COUNTS;
    }
    if (COMPUTING.contains(operator)) {
      return GroupField.Kind.COMPUTES;
    }
    return ORDERED.contains(operator) ? GroupField.Kind.KEEPS_IN_ORDER : GroupField.Kind.KEEPS;
  }

  private static void requireExpression(Value specification) {
    switch (specification.type()) {
      case STRING -> {
        if (!specification.asString().startsWith("$")) {
          throw Syntax.failure(
              40148,
              "the sortByCount field must be defined as a $-prefixed path or an expression inside"
                  + " an object");
        }
      }
      case OBJECT -> {
        if (ProjectShape.isNested(specification) || specification.asDocument().isEmpty()) {
          throw Syntax.failure(
              40147,
              "the sortByCount field must be defined as a $-prefixed path or an expression inside"
                  + " an object");
        }
      }
      default ->
          throw Syntax.failure(
              40149, "the sortByCount field must be specified as a string or as an object");
    }
  }
}
