package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.QueryException;
import dev.mayfly.query.QueryException.Reason;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Document that an upsert inserts if its filter matches nothing. */
public final class UpsertDocument {
  private static final int NOT_SINGLE_VALUE = 54;
  private static final FieldPath ID = FieldPath.of(IdField.ID);

  private UpsertDocument() {}

  /**
   * Applies the update to the equality conditions of the filter; a replacement uses only the id of
   * these. The id, if any, comes first.
   *
   * @throws QueryException if the filter has two values for one field, or the update fails
   */
  public static Document of(Filter filter, Update update, Scope scope, UpdateContext context) {
    List<Filter.Compare> equalities = new ArrayList<>();
    collect(filter, equalities);
    if (update.replaces()) {
      equalities.removeIf(equality -> !equality.path().startsWith(ID));
    }
    Document base = document(equalities, scope, context);
    Document after = update.apply(base, scope, context);
    return IdField.first(after, after.field(IdField.ID));
  }

  private static Document document(
      List<Filter.Compare> equalities, Scope scope, UpdateContext context) {
    Modifications.Builder fields = new Modifications.Builder();
    List<FieldPath> paths = new ArrayList<>();
    for (Filter.Compare equality : equalities) {
      FieldPath path = equality.path();
      refuseSecond(path, paths);
      paths.add(path);
      Value value = equality.value().isMissing() ? Value.NULL : equality.value();
      fields.add(steps(path), new Modifiers.Set(value));
    }
    return fields.build(Map.of()).apply(Document.EMPTY, scope, context);
  }

  private static void collect(Filter filter, List<Filter.Compare> equalities) {
    switch (filter) {
      case Filter.And(List<Filter> members) ->
          members.forEach(member -> collect(member, equalities));
      case Filter.Or(List<Filter> members) when members.size() == 1 ->
          collect(members.getFirst(), equalities);
      case Filter.Collated(_, Filter leaf) -> collect(leaf, equalities);
      case Filter.In(FieldPath path, List<Value> values) when values.size() == 1 ->
          equalities.add(new Filter.Compare(path, Operator.EQ, values.getFirst()));
      case Filter.Compare compare when compare.operator() == Operator.EQ -> equalities.add(compare);
      case Filter _ -> {
        // Not an equality condition.
      }
    }
  }

  private static void refuseSecond(FieldPath path, List<FieldPath> before) {
    for (FieldPath other : before) {
      if (other.equals(path)) {
        throw new QueryException(
            Reason.BAD_VALUE,
            NOT_SINGLE_VALUE,
            "cannot infer query fields to set, path '" + path + "' is matched twice");
      }
      if (other.startsWith(path) || path.startsWith(other)) {
        throw new QueryException(
            Reason.BAD_VALUE,
            NOT_SINGLE_VALUE,
            "cannot infer query fields to set, both paths '"
                + other
                + "' and '"
                + path
                + "' are matched");
      }
    }
  }

  private static List<String> steps(FieldPath path) {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < path.length(); i++) {
      steps.add(path.step(i));
    }
    return steps;
  }
}
