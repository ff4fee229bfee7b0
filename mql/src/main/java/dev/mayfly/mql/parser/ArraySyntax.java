package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.function.ArrayFunctions;
import dev.mayfly.mql.function.Extremes;
import dev.mayfly.mql.function.Membership;
import dev.mayfly.mql.function.Sets;
import dev.mayfly.query.ElementOrder;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Syntax of array and set operators. */
final class ArraySyntax {
  private static final int ANY = Integer.MAX_VALUE;

  private ArraySyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    addArrays(operators);
    addSets(operators);
    operators.put("$zip", ArraySyntax::zip);
    operators.put("$sortArray", ArraySyntax::sort);
    operators.put("$firstN", take((array, n, _) -> Extremes.firstN(array, n)));
    operators.put("$lastN", take((array, n, _) -> Extremes.lastN(array, n)));
    operators.put("$minN", take(Extremes::leastN));
    operators.put("$maxN", take((array, n, order) -> Extremes.leastN(array, n, order.reversed())));
  }

  private static void addArrays(Map<String, OperatorSyntax> operators) {
    operators.put("$arrayElemAt", OperatorSyntax.two(ArrayFunctions::elementAt));
    operators.put("$first", OperatorSyntax.one(ArrayFunctions::first));
    operators.put("$last", OperatorSyntax.one(ArrayFunctions::last));
    operators.put("$size", OperatorSyntax.one(Policy.AS_IS, ArrayFunctions::size));
    operators.put("$isArray", OperatorSyntax.one(Policy.AS_IS, ArrayFunctions::isArray));
    operators.put("$in", ArraySyntax::in);
    operators.put(
        "$indexOfArray",
        OperatorSyntax.ordered(2, 4, (operands, order) -> ArrayFunctions.indexOf(operands, order)));
    operators.put("$concatArrays", OperatorSyntax.many(0, ANY, ArrayFunctions::concat));
    operators.put("$reverseArray", OperatorSyntax.one(ArrayFunctions::reverse));
    operators.put(
        "$slice", OperatorSyntax.many(Policy.NULL_FOR_NULLISH, 2, 3, ArrayFunctions::slice));
    operators.put("$range", OperatorSyntax.many(2, 3, ArrayFunctions::range));
  }

  private static Expression in(String operator, Value argument, Variables variables) {
    List<Expression> sides = OperatorSyntax.exactly(2, operator, argument, variables);
    return Literal.folded(
        new Membership(operator, sides.getFirst(), sides.getLast(), variables.order()));
  }

  private static void addSets(Map<String, OperatorSyntax> operators) {
    operators.put(
        "$setUnion",
        OperatorSyntax.ordered(0, ANY, (operands, order) -> Sets.union(operands, order)));
    operators.put(
        "$setIntersection",
        OperatorSyntax.ordered(0, ANY, (operands, order) -> Sets.intersection(operands, order)));
    operators.put("$setDifference", ArraySyntax::difference);
    operators.put(
        "$setEquals",
        (operator, argument, variables) -> {
          requireTwo(argument, variables);
          return OperatorSyntax.ordered(2, ANY, (operands, order) -> Sets.equal(operands, order))
              .parse(operator, argument, variables);
        });
    operators.put(
        "$setIsSubset",
        OperatorSyntax.ordered(
            2, 2, (operands, order) -> Sets.isSubset(operands[0], operands[1], order)));
    operators.put("$anyElementTrue", OperatorSyntax.one(Policy.AS_IS, Sets::anyTrue));
    operators.put("$allElementsTrue", OperatorSyntax.one(Policy.AS_IS, Sets::allTrue));
  }

  private static void requireTwo(Value argument, Variables variables) {
    int given = OperatorSyntax.operands(argument, variables).size();
    if (given < 2) {
      throw new CommandException(
          ErrorCode.location(17045), "$setEquals needs at least two arguments had: " + given);
    }
  }

  private static Expression difference(String operator, Value argument, Variables variables) {
    List<Expression> sides = OperatorSyntax.exactly(2, operator, argument, variables);
    return Call.of(
        operator,
        Policy.NULL_FOR_NULLISH,
        (Value left, Value right) -> Sets.difference(left, right, variables.order()),
        sides.getFirst(),
        sides.getLast());
  }

  /** A function of an array and a number of elements. */
  private interface Take {
    Value apply(Value array, Value n, Comparator<Value> order);
  }

  private static OperatorSyntax take(Take function) {
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(
              operator,
              argument,
              variables,
              AccumulatorParser.severalNumbers(operator),
              Set.of("n", "input"));
      return Call.of(
          operator,
          Policy.AS_IS,
          (Value array, Value n) -> function.apply(array, n, variables.order()),
          given.required("input"),
          given.required("n"));
    };
  }

  private static Expression sort(String operator, Value argument, Variables variables) {
    Arguments.Numbers numbers =
        new Arguments.Numbers(
            ArgumentErrors.SPECIFIED, 2942500, 2942501, 2942502, Map.of("sortBy", 2942503));
    Arguments given =
        Arguments.of(operator, argument, variables, numbers, Set.of("input", "sortBy"));
    Expression input = given.required("input");
    given.require("sortBy");
    Value by = given.syntax("sortBy");
    ElementOrder order = ElementOrderParser.parse(by, variables.collation());
    return Call.of(
        operator,
        Policy.NULL_FOR_NULLISH,
        (Call.One) array -> Extremes.sorted(array, order),
        input);
  }

  private static Expression zip(String operator, Value argument, Variables variables) {
    Arguments.Numbers numbers = new Arguments.Numbers(ArgumentErrors.TRIM, 34460, 34464, 34465);
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            numbers,
            Set.of("inputs", "defaults", "useLongestLength"));
    List<Expression> inputs =
        given.has("inputs") ? list(given.syntax("inputs"), "inputs", 34461, variables) : List.of();
    List<Expression> defaults =
        given.has("defaults")
            ? list(given.syntax("defaults"), "defaults", 34462, variables)
            : List.of();
    boolean longest = longest(given.syntax("useLongestLength"));
    requireZip(inputs, defaults, longest);
    List<Expression> all = new ArrayList<>(inputs);
    all.addAll(defaults);
    int arrays = inputs.size();
    return Call.of(
        operator,
        Policy.AS_IS,
        (Call.Many)
            operands -> {
              List<Value> values = List.of(operands);
              return ArrayFunctions.zip(
                  values.subList(0, arrays), values.subList(arrays, values.size()), longest);
            },
        all);
  }

  private static void requireZip(
      List<Expression> inputs, List<Expression> defaults, boolean longest) {
    if (inputs.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(34465), "$zip requires at least one input array");
    }
    if (!longest && !defaults.isEmpty()) {
      throw new CommandException(
          ErrorCode.location(34466), "cannot specify defaults unless useLongestLength is true");
    }
    if (!defaults.isEmpty() && defaults.size() != inputs.size()) {
      throw new CommandException(
          ErrorCode.location(34467), "defaults and inputs must have the same length");
    }
  }

  private static boolean longest(Value flag) {
    if (flag.isMissing()) {
      return false;
    }
    if (flag.type() != Type.BOOLEAN) {
      throw new CommandException(
          ErrorCode.location(34463),
          "useLongestLength must be a bool, found " + TypeNames.of(flag.type()));
    }
    return flag.asBoolean();
  }

  private static List<Expression> list(Value syntax, String name, int number, Variables variables) {
    if (!syntax.isArray()) {
      throw new CommandException(
          ErrorCode.location(number),
          name + " must be an array of expressions, found " + TypeNames.of(syntax.type()));
    }
    return OperatorSyntax.operands(syntax, variables);
  }
}
