package dev.mayfly.sql.compiler;

import dev.mayfly.query.Filter;
import dev.mayfly.sql.Access;
import dev.mayfly.sql.Geospatial;
import dev.mayfly.sql.Logic;
import dev.mayfly.sql.Rows;
import dev.mayfly.sql.Scalar;
import dev.mayfly.sql.Selection;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles a query: splits WHERE into a filter for the engine and conditions on rows. */
public final class Compiler {
  private final Context context;
  private final SelectCompiler select;

  private Compiler(
      Map<String, Value> parameters, Map<String, Select> computed, Geospatial geospatial) {
    this.context = new Context(parameters, computed, geospatial);
    this.select = new SelectCompiler(context, new Scope(null));
  }

  /**
   * Compiles a query.
   *
   * @param parameters values by name, including the leading {@code @}
   * @param computed queries of the container's computed properties, by name
   * @param geospatial type of the container's geometries
   * @throws SqlException if the query is invalid
   */
  public static CompiledQuery compile(
      Select query,
      Map<String, Value> parameters,
      Map<String, Select> computed,
      Geospatial geospatial) {
    return new Compiler(parameters, computed, geospatial).compile(query);
  }

  /** Compiles a query for a container of type Geography. */
  public static CompiledQuery compile(
      Select query, Map<String, Value> parameters, Map<String, Select> computed) {
    return compile(query, parameters, computed, Geospatial.GEOGRAPHY);
  }

  private CompiledQuery compile(Select query) {
    boolean readsItems = !query.from().isEmpty();
    if (readsItems) {
      context.readItems();
    }
    Rows rows = select.from(query);
    boolean onlyItem = query.from().size() <= 1 && isItem(query);
    List<Filter> filters = new ArrayList<>();
    List<Scalar> rest = new ArrayList<>();
    for (Expression condition : conjuncts(query)) {
      split(condition, readsItems, filters, rest);
    }
    query.from().forEach(from -> narrow(from, filters));
    List<CompiledQuery.Key> order = order(query);
    Rows filtered =
        rest.isEmpty() ? rows : rows.where(rest.size() == 1 ? rest.getFirst() : Logic.and(rest));
    Selection selection = select.finish(query, filtered);
    return new CompiledQuery(
        context.slots(),
        readsItems,
        context.decorated(),
        Filter.and(filters),
        selection,
        select.distinctSource(query),
        onlyItem && rest.isEmpty(),
        !onlyItem,
        onlyItem && readsItems && isWhole(query.projection()),
        order,
        isCorrelated(query),
        select.amount(query.top(), CompiledQuery.ALL, "SC2060", "TOP"),
        select.amount(query.offset(), 0, "SC2062", "OFFSET"),
        select.amount(query.limit(), CompiledQuery.ALL, "SC2061", "LIMIT"),
        query.projection() instanceof Select.Projection.Single);
  }

  /** Whether the only alias is the item itself. */
  private boolean isItem(Select query) {
    return query.from().isEmpty()
        || (query.from().getFirst() instanceof Select.From.Value
            && select.scope().only().slot() == Context.ROOT);
  }

  private static boolean isWhole(Select.Projection projection) {
    return switch (projection) {
      case Select.Projection.Everything _ -> true;
      case Select.Projection.Single(Expression value) -> value instanceof Expression.Name;
      case Select.Projection.Listed _ -> false;
    };
  }

  private static List<Expression> conjuncts(Select query) {
    Expression where = query.where();
    if (where == null) {
      return List.of();
    }
    List<Expression> all = new ArrayList<>();
    flatten(where, all);
    return all;
  }

  private static void flatten(Expression condition, List<Expression> all) {
    if (condition instanceof Expression.Logical(boolean each, List<Expression> members, _)
        && each) {
      members.forEach(member -> flatten(member, all));
    } else {
      all.add(condition);
    }
  }

  private void split(
      Expression condition, boolean readsItems, List<Filter> filters, List<Scalar> rest) {
    Filter filter =
        readsItems
            ? new Conditions(context, select.scope(), select.scalars()).whereTrue(condition)
            : null;
    if (filter != null) {
      filters.add(filter);
      return;
    }
    rest.add(select.scalars().compile(condition));
    Filter needed = readsItems ? narrowing().of(condition) : null;
    if (needed != null) {
      filters.add(needed);
    }
  }

  /** Adds a filter for a joined subquery: an item for which it has no row yields no result. */
  private void narrow(Select.From from, List<Filter> filters) {
    Filter needed =
        switch (from) {
          case Select.From.Results(Select query, _, _) -> narrowing().requireRow(query);
          case Select.From.Spread(_, Select query, _) -> narrowing().requireRow(query);
          case Select.From.Value _, Select.From.Elements _ -> null;
        };
    if (needed != null) {
      filters.add(needed);
    }
  }

  private Narrowing narrowing() {
    return new Narrowing(context, select.scope(), select.scalars());
  }

  private List<CompiledQuery.Key> order(Select query) {
    if (!query.orderBy().isEmpty() && !query.groupBy().isEmpty()) {
      Expression first = query.orderBy().getFirst().value();
      throw new SqlException(
          "SC2103",
          first.span(),
          "Property reference '"
              + Printer.print(first)
              + "' is invalid in the ORDER BY clause in presence of a GROUP BY clause.");
    }
    List<CompiledQuery.Key> keys = new ArrayList<>();
    for (Select.Key key : query.orderBy()) {
      if (!isCorrelated(key.value(), query)) {
        keys.add(key(key));
      }
    }
    // an aggregate has one result, so ORDER BY has no effect
    return SelectCompiler.aggregates(query).isEmpty() ? keys : List.of();
  }

  /** Whether ORDER BY refers to elements of arrays in a query with several results. */
  private static boolean isCorrelated(Select query) {
    return SelectCompiler.aggregates(query).isEmpty()
        && query.orderBy().stream().anyMatch(key -> isCorrelated(key.value(), query));
  }

  private static boolean isCorrelated(Expression key, Select query) {
    Expression base = key;
    while (base instanceof Expression.Member(Expression of, _, _)) {
      base = of;
    }
    return base instanceof Expression.Name(String name, _)
        && query.from().stream().anyMatch(from -> isElement(name, from));
  }

  private static boolean isElement(String name, Select.From from) {
    return switch (from) {
      case Select.From.Elements(String variable, _, _) -> variable.equals(name);
      case Select.From.Spread(String variable, _, _) -> variable.equals(name);
      case Select.From.Value _, Select.From.Results _ -> false;
    };
  }

  private CompiledQuery.Key key(Select.Key key) {
    FieldPath visible = new ItemPaths(select.scope()).path(key.value());
    if (visible == null || visible.length() == 0) {
      throw new SqlException(
          "2206",
          key.value().span(),
          "Unsupported ORDER BY clause. ORDER BY item expression could not be mapped to a document"
              + " path.");
    }
    boolean stored =
        new Conditions(context, select.scope(), select.scalars()).path(key.value()) != null;
    // a stored property is read without adding system properties to the item
    Scalar value =
        stored ? Access.path(Context.ROOT, steps(visible)) : select.scalars().compile(key.value());
    return new CompiledQuery.Key(visible, stored, value, key.descending());
  }

  private static List<String> steps(FieldPath path) {
    List<String> steps = new ArrayList<>();
    for (int i = 0; i < path.length(); i++) {
      steps.add(path.step(i));
    }
    return steps;
  }

  /** Paths of expressions in items as clients see them. */
  private record ItemPaths(Scope scope) {
    @Nullable FieldPath path(Expression expression) {
      return switch (expression) {
        case Expression.Name(String name, var span) -> {
          Scope.Binding binding = scope.find(name);
          if (binding == null) {
            throw SqlException.unresolved(span, name);
          }
          yield binding.path();
        }
        case Expression.Member(Expression of, String name, _) -> {
          FieldPath base = path(of);
          yield base == null ? null : base.child(name);
        }
        case Expression _ -> null;
      };
    }
  }
}
