package dev.mayfly.query;

import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;

/** Values as messages show them: like a shell, without the marks that would make it JSON. */
public final class Shown {
  private Shown() {}

  /** A field: name, colon, value. */
  public static String field(String name, Value value) {
    return name + ": " + of(value);
  }

  /** A value. */
  public static String of(Value value) {
    return switch (value.type()) {
      case OBJECT -> members(value, "{ ", " }", true);
      case ARRAY -> members(value, "[ ", " ]", false);
      case STRING, SYMBOL -> '"' + value.asString() + '"';
      case REGEX -> "/" + value.regexPattern() + "/" + value.regexOptions();
      case DOUBLE -> number(value.asDouble());
      case INT32, INT64 -> String.valueOf(value.asLong());
      default -> value.toString();
    };
  }

  private static String members(Value value, String open, String close, boolean named) {
    StringBuilder text = new StringBuilder();
    Fields members = value.asDocument().fields();
    while (members.next()) {
      text.append(text.isEmpty() ? open : ", ");
      text.append(named ? field(members.name(), members.value()) : of(members.value()));
    }
    return text.isEmpty() ? open.strip() + close.strip() : text.append(close).toString();
  }

  private static String number(double number) {
    if (Double.isInfinite(number)) {
      return number > 0 ? "inf" : "-inf";
    }
    if (Double.isNaN(number)) {
      return "nan";
    }
    boolean whole = number == Math.rint(number) && Math.abs(number) < 1e15;
    return whole ? (long) number + ".0" : String.valueOf(number);
  }
}
