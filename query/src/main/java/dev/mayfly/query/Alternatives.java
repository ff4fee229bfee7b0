package dev.mayfly.query;

import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Alternatives of a filter that are many: equalities with one path become one membership test. */
final class Alternatives {
  /** Fewer are asked one after the other, so that it is the first that tells the place. */
  private static final int MANY = 64;

  private Alternatives() {}

  /** As many alternatives or fewer that pass the same documents. */
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
