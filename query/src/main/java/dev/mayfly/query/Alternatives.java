package dev.mayfly.query;

import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Merges many alternatives of a filter: equalities on one path become one membership test. */
final class Alternatives {
  /**
   * Fewer alternatives are tested in order, so that the first match determines the array position.
   */
  private static final int MANY = 64;

  private Alternatives() {}

  /** Returns as many or fewer alternatives that match the same documents. */
  static List<Filter> merged(List<Filter> members) {
    if (members.size() < MANY) {
      return members;
    }
    Map<FieldPath, List<Value>> equal = new LinkedHashMap<>();
    List<Filter> all = new ArrayList<>();
    for (Filter member : members) {
      if (member instanceof Filter.Compare(FieldPath path, Operator operator, Value value)
          && operator == Operator.EQ) {
        equal.computeIfAbsent(path, _ -> new ArrayList<>()).add(value);
      } else {
        all.add(member);
      }
    }
    equal.forEach((path, values) -> all.add(new Filter.In(path, values)));
    return all;
  }
}
