package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.function.Regexes;
import dev.mayfly.mql.function.StringSearch;
import dev.mayfly.mql.function.Strings;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Syntax of string and regular expression operators. */
final class TextSyntax {
  private static final int ANY = Integer.MAX_VALUE;

  private TextSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    operators.put("$concat", OperatorSyntax.many(0, ANY, Strings::concat));
    operators.put("$toLower", OperatorSyntax.one(Policy.AS_IS, Strings::toLower));
    operators.put("$toUpper", OperatorSyntax.one(Policy.AS_IS, Strings::toUpper));
    operators.put("$strcasecmp", OperatorSyntax.two(Policy.AS_IS, Strings::compareIgnoringCase));
    operators.put("$strLenBytes", OperatorSyntax.one(Policy.AS_IS, Strings::lengthInBytes));
    operators.put("$strLenCP", OperatorSyntax.one(Policy.AS_IS, Strings::lengthInCodePoints));
    operators.put("$substr", OperatorSyntax.many(3, 3, Strings::substringInBytes));
    operators.put("$substrBytes", OperatorSyntax.many(3, 3, Strings::substringInBytes));
    operators.put("$substrCP", OperatorSyntax.many(3, 3, Strings::substringInCodePoints));
    operators.put("$indexOfBytes", OperatorSyntax.many(2, 4, StringSearch::indexOfBytes));
    operators.put("$indexOfCP", OperatorSyntax.many(2, 4, StringSearch::indexOfCodePoints));
    operators.put("$split", OperatorSyntax.two(Strings::split));
    operators.put("$replaceOne", replace(Strings::replaceOne));
    operators.put("$replaceAll", replace(Strings::replaceAll));
    operators.put("$trim", trim(StringSearch.Side.BOTH));
    operators.put("$ltrim", trim(StringSearch.Side.LEFT));
    operators.put("$rtrim", trim(StringSearch.Side.RIGHT));
    operators.put("$regexMatch", regex(Regexes.Wanted.MATCH));
    operators.put("$regexFind", regex(Regexes.Wanted.FIRST));
    operators.put("$regexFindAll", regex(Regexes.Wanted.ALL));
  }

  private static OperatorSyntax replace(Call.Many function) {
    Arguments.Numbers numbers =
        new Arguments.Numbers(
            ArgumentErrors.SPECIFIED,
            51751,
            51750,
            51749,
            Map.of("find", 51748, "replacement", 51747));
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(
              operator, argument, variables, numbers, Set.of("input", "find", "replacement"));
      return Call.of(
          operator,
          Policy.AS_IS,
          function,
          List.of(given.required("input"), given.required("find"), given.required("replacement")));
    };
  }

  private static OperatorSyntax trim(StringSearch.Side side) {
    Arguments.Numbers numbers = new Arguments.Numbers(ArgumentErrors.TRIM, 50696, 50694, 50695);
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(operator, argument, variables, numbers, Set.of("input", "chars"));
      Expression input = given.required("input");
      Optional<Expression> characters = given.optional("chars");
      return characters
          .map(
              chars ->
                  Call.of(
                      operator,
                      Policy.NULL_FOR_NULLISH,
                      (Value text, Value cut) -> StringSearch.trim(text, cut, side),
                      input,
                      chars))
          .orElseGet(
              () ->
                  Call.of(
                      operator,
                      Policy.NULL_FOR_NULLISH,
                      (Call.One) text -> StringSearch.trim(text, side),
                      input));
    };
  }

  private static OperatorSyntax regex(Regexes.Wanted wanted) {
    Arguments.Numbers numbers =
        new Arguments.Numbers(ArgumentErrors.REGEX, 51103, 31024, 31022, Map.of("regex", 31023));
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(operator, argument, variables, numbers, Set.of("input", "regex", "options"));
      Expression input = given.required("input");
      Expression regex = given.required("regex");
      Expression options = given.optional("options").orElse(Literal.MISSING);
      try {
        return Regexes.search(operator, wanted, input, regex, options);
      } catch (QueryException failure) {
        throw new CommandException(
            ErrorCode.location(failure.number()), String.valueOf(failure.getMessage()));
      }
    };
  }
}
