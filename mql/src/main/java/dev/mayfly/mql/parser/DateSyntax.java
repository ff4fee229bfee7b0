package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Call;
import dev.mayfly.mql.expression.Call.Policy;
import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Literal;
import dev.mayfly.mql.function.DateFunctions;
import dev.mayfly.mql.function.DateStrings;
import dev.mayfly.mql.function.Dates;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Syntax of date and timestamp operators. */
final class DateSyntax {
  private static final Value UTC = Value.of("UTC");
  private static final Value SUNDAY = Value.of("sunday");
  private static final Set<String> CALENDAR = Set.of("year", "month", "day");
  private static final Set<String> WEEKS = Set.of("isoWeekYear", "isoWeek", "isoDayOfWeek");

  private DateSyntax() {}

  static void addTo(Map<String, OperatorSyntax> operators) {
    addParts(operators);
    operators.put("$dateToString", DateSyntax::toText);
    operators.put("$dateFromString", DateSyntax::fromText);
    operators.put("$dateToParts", DateSyntax::toParts);
    operators.put("$dateFromParts", DateSyntax::fromParts);
    operators.put("$dateAdd", moved(DateFunctions::add));
    operators.put("$dateSubtract", moved(DateFunctions::subtract));
    operators.put("$dateDiff", DateSyntax::difference);
    operators.put("$dateTrunc", DateSyntax::truncate);
    operators.put("$tsSecond", OperatorSyntax.one(DateFunctions::timestampSeconds));
    operators.put("$tsIncrement", OperatorSyntax.one(DateFunctions::timestampIncrement));
  }

  private static void addParts(Map<String, OperatorSyntax> operators) {
    operators.put("$year", part(Dates.Part.YEAR));
    operators.put("$month", part(Dates.Part.MONTH));
    operators.put("$dayOfMonth", part(Dates.Part.DAY_OF_MONTH));
    operators.put("$hour", part(Dates.Part.HOUR));
    operators.put("$minute", part(Dates.Part.MINUTE));
    operators.put("$second", part(Dates.Part.SECOND));
    operators.put("$millisecond", part(Dates.Part.MILLISECOND));
    operators.put("$dayOfYear", part(Dates.Part.DAY_OF_YEAR));
    operators.put("$dayOfWeek", part(Dates.Part.DAY_OF_WEEK));
    operators.put("$week", part(Dates.Part.WEEK));
    operators.put("$isoDayOfWeek", part(Dates.Part.ISO_DAY_OF_WEEK));
    operators.put("$isoWeek", part(Dates.Part.ISO_WEEK));
    operators.put("$isoWeekYear", part(Dates.Part.ISO_WEEK_YEAR));
  }

  /** A date, or an object with a date and a timezone. */
  private static OperatorSyntax part(Dates.Part part) {
    Call.Two function = (date, zone) -> Dates.part(part, date, Dates.partZone(zone));
    return (operator, argument, variables) -> {
      requireOne(operator, argument, variables);
      if (!isNamed(argument)) {
        Expression date = OperatorSyntax.exactly(1, operator, argument, variables).getFirst();
        return Call.of(operator, Policy.NULL_FOR_NULLISH, function, date, new Literal(UTC));
      }
      Arguments given =
          Arguments.of(
              operator,
              argument,
              variables,
              new Arguments.Numbers(ArgumentErrors.DATE_PART, 40536, 40535, 40539),
              Set.of("date", "timezone"));
      return Call.of(
          operator,
          Policy.NULL_FOR_NULLISH,
          function,
          given.required("date"),
          given.or("timezone", UTC));
    };
  }

  private static void requireOne(String operator, Value argument, Variables variables) {
    int given = argument.isArray() ? OperatorSyntax.operands(argument, variables).size() : 1;
    if (given != 1) {
      throw new CommandException(
          ErrorCode.location(40536),
          operator + " accepts exactly one argument if given an array, but was given " + given);
    }
  }

  /** Returns whether the argument is an object that is not an operator. */
  private static boolean isNamed(Value argument) {
    if (!argument.isDocument()) {
      return false;
    }
    Fields first = argument.asDocument().fields();
    return !first.next() || !first.name().startsWith("$");
  }

  private static Expression toText(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.DATES, 18629, 18534, 18628),
            Set.of("date", "format", "timezone", "onNull"));
    return Literal.folded(
        new DateStrings.Write(
            operator,
            given.required("date"),
            given.optional("format"),
            given.or("timezone", UTC),
            given.or("onNull", Value.NULL)));
  }

  private static Expression fromText(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.DATE_TEXT, 40540, 40541, 40542),
            Set.of("dateString", "format", "timezone", "onNull", "onError"));
    return Literal.folded(
        new DateStrings.Read(
            operator,
            given.required("dateString"),
            given.optional("format"),
            given.or("timezone", UTC),
            given.or("onNull", Value.NULL),
            given.optional("onError")));
  }

  private static Expression toParts(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.DATES, 40524, 40520, 40522),
            Set.of("date", "timezone", "iso8601"));
    return Call.of(
        operator,
        Policy.NULL_FOR_NULLISH,
        DateFunctions::parts,
        List.of(
            given.required("date"), given.or("timezone", UTC), given.or("iso8601", Value.FALSE)));
  }

  private static Expression fromParts(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(ArgumentErrors.DATES, 40519, 40518, 40516),
            Set.of(
                "year",
                "month",
                "day",
                "isoWeekYear",
                "isoWeek",
                "isoDayOfWeek",
                "hour",
                "minute",
                "second",
                "millisecond",
                "timezone"));
    boolean weeks = given.has("isoWeekYear");
    requireOneCalendar(given, weeks);
    Value one = Value.of(1);
    Value zero = Value.of(0);
    return Call.of(
        operator,
        Policy.NULL_FOR_NULLISH,
        weeks ? DateFunctions::fromWeekParts : DateFunctions::fromParts,
        List.of(
            given.required(weeks ? "isoWeekYear" : "year"),
            given.or(weeks ? "isoWeek" : "month", one),
            given.or(weeks ? "isoDayOfWeek" : "day", one),
            given.or("hour", zero),
            given.or("minute", zero),
            given.or("second", zero),
            given.or("millisecond", zero),
            given.or("timezone", UTC)));
  }

  private static void requireOneCalendar(Arguments given, boolean weeks) {
    if (!weeks && !given.has("year")) {
      throw new CommandException(
          ErrorCode.location(40516),
          "$dateFromParts requires either 'year' or 'isoWeekYear' to be present");
    }
    for (String other : weeks ? CALENDAR : WEEKS) {
      if (given.has(other)) {
        throw new CommandException(
            ErrorCode.location(weeks ? 40525 : 40489),
            "$dateFromParts does not allow mixing natural dates with ISO dates");
      }
    }
  }

  private static OperatorSyntax moved(Call.Many function) {
    return (operator, argument, variables) -> {
      Arguments given =
          Arguments.of(
              operator,
              argument,
              variables,
              new Arguments.Numbers(ArgumentErrors.DATE_MOVE, 5166400, 5166401, 5166402),
              Set.of("startDate", "unit", "amount", "timezone"));
      return Call.of(
          operator,
          Policy.NULL_FOR_NULLISH,
          function,
          List.of(
              given.required("startDate"),
              given.required("unit"),
              given.required("amount"),
              given.or("timezone", UTC)));
    };
  }

  private static Expression difference(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(
                ArgumentErrors.DATES,
                5166301,
                5166302,
                5166303,
                Map.of("endDate", 5166304, "unit", 5166305)),
            Set.of("startDate", "endDate", "unit", "timezone", "startOfWeek"));
    return Call.of(
        operator,
        Policy.AS_IS,
        DateFunctions::difference,
        List.of(
            given.required("startDate"),
            given.required("endDate"),
            given.required("unit"),
            given.or("timezone", UTC),
            given.or("startOfWeek", SUNDAY)));
  }

  private static Expression truncate(String operator, Value argument, Variables variables) {
    Arguments given =
        Arguments.of(
            operator,
            argument,
            variables,
            new Arguments.Numbers(
                ArgumentErrors.DATES, 5439007, 5439008, 5439009, Map.of("unit", 5439010)),
            Set.of("date", "unit", "binSize", "timezone", "startOfWeek"));
    return Call.of(
        operator,
        Policy.AS_IS,
        DateFunctions::truncate,
        List.of(
            given.required("date"),
            given.required("unit"),
            given.or("binSize", Value.of(1)),
            given.or("timezone", UTC),
            given.or("startOfWeek", SUNDAY)));
  }
}
