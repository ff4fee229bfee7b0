package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.RandomNumber;
import dev.mayfly.mql.function.Arithmetic;
import dev.mayfly.mql.function.Bits;
import dev.mayfly.mql.function.Powers;
import dev.mayfly.mql.function.Rounding;
import dev.mayfly.mql.function.Trigonometry;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;

/** Syntax of arithmetic, rounding, trigonometric and bitwise operators. */
final class NumberSyntax {
  private static final int ANY = Integer.MAX_VALUE;

  private NumberSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    addArithmetic(operators);
    addPowers(operators);
    addAngles(operators);
    addBits(operators);
    operators.put("$rand", NumberSyntax::random);
  }

  private static void addArithmetic(Map<String, OperatorSyntax> operators) {
    operators.put("$add", NumberSyntax::sum);
    operators.put("$subtract", OperatorSyntax.two(Arithmetic::subtract));
    operators.put("$multiply", OperatorSyntax.many(0, ANY, Arithmetic::multiply));
    operators.put("$divide", OperatorSyntax.two(Arithmetic::divide));
    operators.put("$mod", OperatorSyntax.two(Arithmetic::mod));
    operators.put("$abs", OperatorSyntax.one(Rounding::abs));
    operators.put("$ceil", OperatorSyntax.one(Rounding::ceil));
    operators.put("$floor", OperatorSyntax.one(Rounding::floor));
    operators.put("$round", OperatorSyntax.many(Policy.NULL_FOR_NULLISH, 1, 2, Rounding::round));
    operators.put("$trunc", OperatorSyntax.many(Policy.NULL_FOR_NULLISH, 1, 2, Rounding::trunc));
  }

  private static void addPowers(Map<String, OperatorSyntax> operators) {
    operators.put("$pow", OperatorSyntax.two(Powers::pow));
    operators.put("$sqrt", OperatorSyntax.one(Powers::sqrt));
    operators.put("$exp", OperatorSyntax.one(Powers::exp));
    operators.put("$ln", OperatorSyntax.one(Powers::ln));
    operators.put("$log", OperatorSyntax.two(Powers::log));
    operators.put("$log10", OperatorSyntax.one(Powers::log10));
  }

  private static void addAngles(Map<String, OperatorSyntax> operators) {
    operators.put("$sin", OperatorSyntax.one(Trigonometry::sin));
    operators.put("$cos", OperatorSyntax.one(Trigonometry::cos));
    operators.put("$tan", OperatorSyntax.one(Trigonometry::tan));
    operators.put("$asin", OperatorSyntax.one(Trigonometry::asin));
    operators.put("$acos", OperatorSyntax.one(Trigonometry::acos));
    operators.put("$atan", OperatorSyntax.one(Trigonometry::atan));
    operators.put("$atan2", OperatorSyntax.two(Trigonometry::atan2));
    operators.put("$sinh", OperatorSyntax.one(Trigonometry::sinh));
    operators.put("$cosh", OperatorSyntax.one(Trigonometry::cosh));
    operators.put("$tanh", OperatorSyntax.one(Trigonometry::tanh));
    operators.put("$asinh", OperatorSyntax.one(Trigonometry::asinh));
    operators.put("$acosh", OperatorSyntax.one(Trigonometry::acosh));
    operators.put("$atanh", OperatorSyntax.one(Trigonometry::atanh));
    operators.put("$degreesToRadians", OperatorSyntax.one(Trigonometry::degreesToRadians));
    operators.put("$radiansToDegrees", OperatorSyntax.one(Trigonometry::radiansToDegrees));
  }

  private static void addBits(Map<String, OperatorSyntax> operators) {
    operators.put("$bitAnd", OperatorSyntax.many(Policy.AS_IS, 0, ANY, Bits::and));
    operators.put("$bitOr", OperatorSyntax.many(Policy.AS_IS, 0, ANY, Bits::or));
    operators.put("$bitXor", OperatorSyntax.many(Policy.AS_IS, 0, ANY, Bits::xor));
    operators.put("$bitNot", OperatorSyntax.one(Bits::not));
  }

  private static Expression sum(String operator, Value argument, Variables variables) {
    List<Expression> operands = OperatorSyntax.operands(argument, variables);
    // Two operands are the usual case and need no array.
    return operands.size() == 2
        ? Call.of(operator, Policy.AS_IS, Arithmetic::add, operands.getFirst(), operands.getLast())
        : Call.of(operator, Policy.AS_IS, (Call.Many) Arithmetic::add, operands);
  }

  private static Expression random(String operator, Value argument, Variables variables) {
    boolean empty =
        (argument.isDocument() || argument.isArray()) && argument.asDocument().isEmpty();
    if (!empty) {
      throw new CommandException(
          ErrorCode.location(3040501), "$rand does not currently accept arguments");
    }
    return new RandomNumber();
  }
}
