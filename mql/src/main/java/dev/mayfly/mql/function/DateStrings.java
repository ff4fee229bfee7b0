package dev.mayfly.mql.function;

import dev.mayfly.mql.expression.Expression;
import dev.mayfly.mql.expression.Operands;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.expression.Truthiness;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;

/** Conversion of dates to strings and back, with defaults. */
public final class DateStrings {
  private DateStrings() {}

  /** {@code $dateToString}. */
  public record Write(
      String operation,
      Expression date,
      Optional<Expression> format,
      Expression zone,
      Expression onNull)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value value = date.evaluate(scope);
      Value pattern = format.map(f -> f.evaluate(scope)).orElse(Value.MISSING);
      Value zoneName = zone.evaluate(scope);
      try {
        if (!Truthiness.nullish(pattern)) {
          DateFormat.validate(requirePattern(pattern, 18533));
        }
        Optional<ZoneId> in = zoneNamed(zoneName);
        if (Truthiness.nullish(value)) {
          return onNull.evaluate(scope);
        }
        if (in.isEmpty() || (format.isPresent() && Truthiness.nullish(pattern))) {
          return Value.NULL;
        }
        return Value.of(text(value, in.get(), pattern));
      } catch (QueryException failure) {
        throw failure.of(operation);
      }
    }

    @Override
    public boolean constant() {
      return date.constant()
          && zone.constant()
          && onNull.constant()
          && format.map(Expression::constant).orElse(true);
    }

    private static String text(Value date, ZoneId zone, Value pattern) {
      String usual = zone.equals(ZoneOffset.UTC) ? DateFormat.ISO_UTC : DateFormat.ISO_LOCAL;
      String form = pattern.isMissing() ? usual : pattern.asString();
      return DateFormat.format(Dates.millis(date), zone, form);
    }
  }

  /** {@code $dateFromString}. */
  public record Read(
      String operation,
      Expression text,
      Optional<Expression> format,
      Expression zone,
      Expression onNull,
      Optional<Expression> onError)
      implements Expression {
    @Override
    public Value evaluate(Scope scope) {
      Value value = text.evaluate(scope);
      Value pattern = format.map(f -> f.evaluate(scope)).orElse(Value.MISSING);
      Value zoneName = zone.evaluate(scope);
      try {
        if (!Truthiness.nullish(pattern)) {
          DatePattern.validate(requirePattern(pattern, 40684));
        }
        Optional<ZoneId> in = zoneNamed(zoneName);
        if (Truthiness.nullish(value)) {
          return onNull.evaluate(scope);
        }
        boolean unformatted = format.isPresent() && Truthiness.nullish(pattern);
        return in.isEmpty() || unformatted ? Value.NULL : date(value, in.get(), pattern);
      } catch (QueryException failure) {
        if (onError.isPresent() && failure.reason() == Reason.CONVERSION_FAILURE) {
          return onError.get().evaluate(scope);
        }
        throw failure.of(operation);
      }
    }

    @Override
    public boolean constant() {
      return text.constant()
          && zone.constant()
          && onNull.constant()
          && format.map(Expression::constant).orElse(true)
          && onError.map(Expression::constant).orElse(true);
    }

    private static Value date(Value text, ZoneId zone, Value pattern) {
      if (text.type() != Type.STRING) {
        throw Conversions.failure(
            "{} requires that 'dateString' be a string, found: "
                + Operands.typeName(text)
                + " with value "
                + text);
      }
      String written = text.asString();
      return Value.date(
          pattern.isMissing()
              ? DateReader.parse(written, zone)
              : DatePattern.parse(written, pattern.asString(), zone));
    }
  }

  private static Optional<ZoneId> zoneNamed(Value name) {
    return Truthiness.nullish(name) ? Optional.empty() : Optional.of(Dates.zone(name));
  }

  private static String requirePattern(Value pattern, int number) {
    if (pattern.type() != Type.STRING) {
      throw Operands.wrongType(
          number,
          "{} requires that 'format' be a string, found: "
              + Operands.typeName(pattern)
              + " with value "
              + pattern);
    }
    return pattern.asString();
  }
}
