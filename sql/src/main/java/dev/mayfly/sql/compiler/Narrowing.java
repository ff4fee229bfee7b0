package dev.mayfly.sql.compiler;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.geo.Region;
import dev.mayfly.sql.Geospatial;
import dev.mayfly.sql.SpatialBounds;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Derives a necessary condition on items from a condition on rows, as a filter that the engine can
 * answer from an index. Other items may pass it too, so the condition is still evaluated on rows.
 */
final class Narrowing {
  private final Context context;
  private final Scope scope;
  private final ScalarCompiler scalars;

  Narrowing(Context context, Scope scope, ScalarCompiler scalars) {
    this.context = context;
    this.scope = scope;
    this.scalars = scalars;
  }

  /** Returns a necessary filter; null if there is none. */
  @Nullable Filter of(Expression condition) {
    Filter same = new Conditions(context, scope, scalars).whereTrue(condition);
    if (same != null) {
      return same;
    }
    return switch (condition) {
      case Expression.Logical(boolean all, List<Expression> members, _) ->
          all ? ofAll(members) : ofAny(members);
      case Expression.Subquery(Expression.Use use, Select query, _)
          when use == Expression.Use.EXISTS ->
          requireRow(query);
      case Expression.Compare(Operator operator, Expression left, Expression right, _)
          when left instanceof Expression.Call || right instanceof Expression.Call -> {
        Filter near = near(operator, left, right);
        yield near == null ? ofElement(condition) : near;
      }
      case Expression.Call call when !call.custom() -> {
        Filter found = call(call.name().toUpperCase(Locale.ROOT), call.arguments());
        yield found == null ? ofElement(condition) : found;
      }
      case Expression other -> ofElement(other);
    };
  }

  private @Nullable Filter ofAll(List<Expression> members) {
    List<Filter> known = new ArrayList<>();
    for (Expression member : members) {
      Filter filter = of(member);
      if (filter != null) {
        known.add(filter);
      }
    }
    return known.isEmpty() ? null : Filter.and(known);
  }

  private @Nullable Filter ofAny(List<Expression> members) {
    List<Filter> known = new ArrayList<>();
    for (Expression member : members) {
      Filter filter = of(member);
      if (filter == null) {
        return null;
      }
      known.add(filter);
    }
    return new Filter.Or(known);
  }

  /** A condition on an element holds if some element of the array meets it. */
  private @Nullable Filter ofElement(Expression condition) {
    for (Scope.Binding variable : scope.ranging()) {
      Filter filter = new Conditions(context, scope, scalars, variable).whereTrue(condition);
      if (filter != null) {
        return within(variable, filter);
      }
    }
    return null;
  }

  private static Filter within(Scope.Binding variable, Filter filter) {
    Scope.Elements elements = variable.elements();
    if (elements == null) {
      return filter;
    }
    Filter match = new Filter.ElementMatch(elements.path(), filter);
    Scope.Binding of = elements.of();
    return of == null ? match : within(of, match);
  }

  /** Returns a necessary filter for a subquery to have a row; null if there is none. */
  @Nullable Filter requireRow(Select query) {
    boolean always = query.groupBy().isEmpty() && !SelectCompiler.aggregates(query).isEmpty();
    Expression where = query.where();
    if (always || where == null) {
      return null;
    }
    Scope inner = new Scope(scope);
    for (Select.From from : query.from()) {
      bind(from, inner);
    }
    return new Narrowing(context, inner, scalars).of(where);
  }

  /** Binds the names of a source to placeholders: only arrays in the item can be filtered by. */
  private void bind(Select.From from, Scope inner) {
    switch (from) {
      case Select.From.Elements(String variable, Expression path, _) ->
          inner.bind(
              variable,
              new Scope.Binding(context.newPlaceholder(), null, elements(path, null, inner)));
      case Select.From.Value(Expression path, String alias, _) ->
          inner.bind(
              alias == null ? SelectCompiler.lastStep(path) : alias,
              new Scope.Binding(context.newPlaceholder(), null));
      case Select.From.Spread(String variable, _, _) ->
          inner.bind(variable, new Scope.Binding(context.newPlaceholder(), null));
      case Select.From.Results(_, String variable, _) -> {
        if (variable != null) {
          inner.bind(variable, new Scope.Binding(context.newPlaceholder(), null));
        }
      }
    }
  }

  /**
   * Returns the array at a path.
   *
   * @param inItem path in the item, if known
   */
  static Scope.@Nullable Elements elements(
      Expression path, @Nullable FieldPath inItem, Scope scope) {
    if (inItem != null) {
      return inItem.length() == 0 ? null : new Scope.Elements(null, inItem);
    }
    List<String> steps = new ArrayList<>();
    Expression at = path;
    while (at instanceof Expression.Member(Expression of, String name, _)) {
      if (!Conditions.isPlain(name)) {
        return null;
      }
      steps.addFirst(name);
      at = of;
    }
    Scope.Binding binding = at instanceof Expression.Name(String name, _) ? scope.find(name) : null;
    if (binding == null) {
      return null;
    }
    FieldPath base = binding.path();
    if (base != null && !(base.length() == 0 && isSystem(steps))) {
      return new Scope.Elements(null, joined(base, steps));
    }
    return binding.elements() == null || steps.isEmpty()
        ? null
        : new Scope.Elements(binding, FieldPath.of(steps));
  }

  private static boolean isSystem(List<String> steps) {
    return steps.isEmpty() || Context.SYSTEM.contains(steps.getFirst());
  }

  private static FieldPath joined(FieldPath base, List<String> steps) {
    FieldPath path = base;
    for (String step : steps) {
      path = path.child(step);
    }
    return path;
  }

  private @Nullable Filter call(String name, List<Expression> arguments) {
    return switch (name) {
      case "ST_WITHIN" ->
          arguments.size() == 2
              ? spatial(arguments.getFirst(), arguments.getLast(), SpatialBounds::around)
              : null;
      case "ST_INTERSECTS" -> arguments.size() == 2 ? touching(arguments) : null;
      case "ARRAY_CONTAINS" -> arguments.size() == 3 ? partialMatch(arguments) : null;
      default -> null;
    };
  }

  private @Nullable Filter touching(List<Expression> arguments) {
    Filter first = spatial(arguments.getFirst(), arguments.getLast(), SpatialBounds::touching);
    return first == null
        ? spatial(arguments.getLast(), arguments.getFirst(), SpatialBounds::touching)
        : first;
  }

  /** Returns the filter for ARRAY_CONTAINS with a partial match. */
  private @Nullable Filter partialMatch(List<Expression> arguments) {
    FieldPath array = new Conditions(context, scope, scalars).path(arguments.getFirst());
    Value element = array == null ? null : scalars.constant(arguments.get(1));
    if (array == null || element == null || element.type() != Type.OBJECT) {
      return null;
    }
    List<Filter> fields = new ArrayList<>();
    Fields each = element.asDocument().fields();
    while (each.next()) {
      Value value = each.value();
      if (Conditions.isPlain(each.name()) && !value.isDocument() && !value.isArray()) {
        fields.add(Filter.equal(FieldPath.of(List.of(each.name())), value));
      }
    }
    return fields.isEmpty() ? null : new Filter.ElementMatch(array, Filter.and(fields));
  }

  private @Nullable Filter near(Operator operator, Expression left, Expression right) {
    boolean below = operator == Operator.LT || operator == Operator.LTE;
    boolean above = operator == Operator.GT || operator == Operator.GTE;
    Expression distance = below ? left : right;
    Value metres = below || above ? scalars.constant(below ? right : left) : null;
    if (metres == null
        || !metres.isNumber()
        || !(distance instanceof Expression.Call(String name, _, List<Expression> places, _))
        || !name.equalsIgnoreCase("ST_DISTANCE")
        || places.size() != 2) {
      return null;
    }
    Function<Value, Optional<Region>> region =
        center -> SpatialBounds.near(center, metres.asDouble());
    Filter first = spatial(places.getFirst(), places.getLast(), region);
    return first == null ? spatial(places.getLast(), places.getFirst(), region) : first;
  }

  private @Nullable Filter spatial(
      Expression spatial, Expression geometry, Function<Value, Optional<Region>> region) {
    // spatial indexes are for geometries on earth only
    boolean onEarth = context.geospatial() == Geospatial.GEOGRAPHY;
    FieldPath path = onEarth ? new Conditions(context, scope, scalars).path(spatial) : null;
    Value constant = path == null ? null : scalars.constant(geometry);
    if (path == null || constant == null) {
      return null;
    }
    return region.apply(constant).<Filter>map(one -> new Filter.Geo(path, one)).orElse(null);
  }
}
