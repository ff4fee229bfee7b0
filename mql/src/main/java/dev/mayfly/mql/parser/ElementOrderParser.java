package dev.mayfly.mql.parser;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Collation;
import dev.mayfly.query.ElementOrder;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/** Parser of the sort order of array elements, for {@code $push} and {@code $sortArray}. */
public final class ElementOrderParser {
  private ElementOrderParser() {}

  /**
   * Parses 1 or -1 (compare elements) or an object of these (compare fields of elements).
   *
   * @throws CommandException BadValue for anything else
   */
  public static ElementOrder parse(Value syntax, Collation collation) {
    if (syntax.isNumber()) {
      return new ElementOrder.Whole(descending("$sort", syntax), collation);
    }
    if (!syntax.isDocument()) {
      throw bad(
          "The $sort is invalid: use 1/-1 to sort the whole element, or {field:1/-1} to sort"
              + " embedded fields");
    }
    return new ElementOrder.ByFields(keys(syntax.asDocument()), collation);
  }

  private static List<Sort> keys(Document syntax) {
    if (syntax.isEmpty()) {
      throw bad("The sort pattern is empty when it should be a set of fields.");
    }
    List<Sort> keys = new ArrayList<>();
    Fields fields = syntax.fields();
    while (fields.next()) {
      boolean descending = descending("sort", fields.value());
      keys.add(new Sort(path(fields.name()), descending));
    }
    return keys;
  }

  private static boolean descending(String name, Value direction) {
    double sign = direction.isNumber() ? direction.asDouble() : 0;
    if (sign != 1 && sign != -1) {
      throw bad("The " + name + " element value must be either 1 or -1");
    }
    return sign < 0;
  }

  private static FieldPath path(String name) {
    if (name.isEmpty()) {
      throw bad("The sort field cannot be empty");
    }
    FieldPath path = DottedPath.of(name);
    for (int i = 0; i < path.length(); i++) {
      if (path.step(i).isEmpty()) {
        throw bad("The sort field is a dotted field but has an empty part: " + name);
      }
    }
    return path;
  }

  private static CommandException bad(String message) {
    return new CommandException(ErrorCode.BAD_VALUE, message);
  }
}
