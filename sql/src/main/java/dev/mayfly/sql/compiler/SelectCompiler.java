package dev.mayfly.sql.compiler;

import dev.mayfly.sql.Access;
import dev.mayfly.sql.Aggregate;
import dev.mayfly.sql.Constant;
import dev.mayfly.sql.Grouping;
import dev.mayfly.sql.Rows;
import dev.mayfly.sql.Scalar;
import dev.mayfly.sql.Selection;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Compiles a query or subquery in the scope of the enclosing queries. */
final class SelectCompiler {
  /** The name that always denotes the item. */
  private static final String ROOT = "ROOT";

  private final Context context;
  private final Scope scope;
  private final ScalarCompiler scalars;
  private OptionalInt distinctSource = OptionalInt.empty();

  SelectCompiler(Context context, Scope outer) {
    this.context = context;
    this.scope = new Scope(outer);
    this.scalars = new ScalarCompiler(context, scope);
  }

  Scope scope() {
    return scope;
  }

  ScalarCompiler scalars() {
    return scalars;
  }

  /**
   * Returns the variable of a DISTINCT subquery in FROM that is aggregated: equal values of several
   * items count once. Other subqueries see one item only.
   */
  OptionalInt distinctSource(Select query) {
    boolean alone = query.from().size() == 1 && query.groupBy().isEmpty();
    return alone && !aggregates(query).isEmpty() ? distinctSource : OptionalInt.empty();
  }

  /**
   * Compiles a scalar subquery.
   *
   * @throws SqlException if it can always have several results
   */
  Selection scalar(Select query) {
    Selection results = nested(query);
    if (hasSeveralRows(query)) {
      throw new SqlException(
          "SC2205",
          query.span(),
          "The cardinality of a scalar subquery result set cannot be greater than one.");
    }
    return results;
  }

  /** Whether a query ranges over elements without aggregating them. */
  static boolean hasSeveralRows(Select query) {
    boolean one = query.groupBy().isEmpty() && !aggregates(query).isEmpty();
    return !one && query.from().stream().anyMatch(SelectCompiler::hasSeveral);
  }

  private static boolean hasSeveral(Select.From from) {
    return switch (from) {
      case Select.From.Value _ -> false;
      case Select.From.Elements _, Select.From.Spread _ -> true;
      case Select.From.Results(Select query, _, _) -> hasSeveralRows(query);
    };
  }

  /** Compiles a subquery, with all its conditions evaluated on rows. */
  Selection nested(Select query) {
    rejectOuterClauses(query);
    Rows rows = from(query);
    Expression where = query.where();
    return finish(query, where == null ? rows : rows.where(scalars.compile(where)));
  }

  private static void rejectOuterClauses(Select query) {
    if (!query.orderBy().isEmpty()) {
      throw new SqlException(
          "SC2202",
          query.orderBy().getFirst().value().span(),
          "'ORDER BY' is not supported in subqueries.");
    }
    Expression top = query.top();
    if (top != null) {
      throw new SqlException("SC2203", top.span(), "'TOP' is not supported in subqueries.");
    }
    Expression offset = query.offset();
    if (offset != null) {
      throw new SqlException(
          "SC2204", offset.span(), "'OFFSET LIMIT' is not supported in subqueries.");
    }
  }

  /** Compiles FROM. */
  Rows from(Select query) {
    List<Rows> parts = new ArrayList<>();
    for (int i = 0; i < query.from().size(); i++) {
      Select.From part = query.from().get(i);
      if (i > 0) {
        context.join(part.span());
      }
      source(part).ifPresent(parts::add);
    }
    return parts.isEmpty() ? Rows.once() : Rows.joined(parts);
  }

  /** Compiles a source; empty if it is the item, which is always bound. */
  private Optional<Rows> source(Select.From from) {
    return switch (from) {
      case Select.From.Value(Expression path, String alias, Span span) -> {
        String name = alias == null ? lastStep(path) : alias;
        Target target = target(path);
        if (target.binding() != null && target.binding().slot() == Context.ROOT) {
          bind(name, target.binding(), span);
          yield Optional.empty();
        }
        int slot = context.newSlot();
        bind(name, new Scope.Binding(slot, target.path()), span);
        yield Optional.of(Rows.bound(slot, target.value()));
      }
      case Select.From.Elements(String variable, Expression path, Span span) -> {
        Target target = target(path);
        int slot = context.newSlot();
        Scope.Elements elements = Narrowing.elements(path, target.path(), scope);
        bind(variable, new Scope.Binding(slot, null, elements), span);
        yield Optional.of(Rows.elements(slot, target.value()));
      }
      case Select.From.Results(Select query, String variable, Span span) -> {
        Selection results = new SelectCompiler(context, scope).nested(query);
        int slot = context.newSlot();
        distinctSource = query.distinct() ? OptionalInt.of(slot) : OptionalInt.empty();
        if (variable != null) {
          bind(variable, new Scope.Binding(slot, null), span);
        }
        yield Optional.of(Rows.results(slot, results));
      }
      case Select.From.Spread(String variable, Select query, Span span) -> {
        Selection results = new SelectCompiler(context, scope).nested(query);
        int slot = context.newSlot();
        bind(variable, new Scope.Binding(slot, null), span);
        yield Optional.of(Rows.spread(slot, results));
      }
    };
  }

  private void bind(String name, Scope.Binding binding, Span span) {
    if (scope.binds(name)) {
      throw new SqlException(
          "SC2011", span, "The input alias '" + name + "' is specified more than once.");
    }
    scope.bind(name, binding);
  }

  static String lastStep(Expression path) {
    return switch (path) {
      case Expression.Name(String name, _) -> name;
      case Expression.Member(_, String name, _) -> name;
      case Expression.Element(Expression of, _, _) -> lastStep(of);
      case Expression other -> Printer.print(other);
    };
  }

  /**
   * Target of a source's path.
   *
   * @param binding the alias, if the path has no steps
   * @param path in the item, if there is one path
   */
  private record Target(Scalar value, Scope.@Nullable Binding binding, @Nullable FieldPath path) {}

  private Target target(Expression path) {
    return switch (path) {
      case Expression.Name name -> {
        Scope.Binding binding = origin(name);
        yield new Target(Access.variable(binding.slot()), binding, binding.path());
      }
      case Expression.Member(Expression of, String name, _) -> {
        Target base = target(of);
        requireSystem(base, name);
        FieldPath to = base.path();
        yield new Target(
            Access.member(base.value(), name),
            null,
            to == null || !Conditions.isPlain(name) ? null : to.child(name));
      }
      case Expression.Element(Expression of, Expression index, _) -> {
        Target base = target(of);
        requireSystem(base, "_ts");
        yield new Target(Access.element(base.value(), scalars.compile(index)), null, null);
      }
      case Expression other -> new Target(scalars.compile(other), null, null);
    };
  }

  private void requireSystem(Target base, String name) {
    Scope.Binding binding = base.binding();
    if (binding != null && binding.slot() == Context.ROOT && Context.SYSTEM.contains(name)) {
      context.decorate();
    }
  }

  /** Returns the binding of the first name of a path: an alias, or else the container. */
  private Scope.Binding origin(Expression.Name name) {
    Scope.Binding binding = scope.find(name.name());
    if (binding != null) {
      return binding;
    }
    if (context.hasItem() && (scope.isEmpty() || name.name().equalsIgnoreCase(ROOT))) {
      return new Scope.Binding(Context.ROOT, ScalarCompiler.ROOT_PATH);
    }
    throw SqlException.unresolved(name.span(), name.name());
  }

  /** Returns the aggregates of a query. */
  static List<Expression.Call> aggregates(Select query) {
    List<Expression.Call> aggregates = new ArrayList<>();
    each(query.projection(), value -> collect(value, aggregates));
    return aggregates;
  }

  /** Compiles the SELECT list and grouping over rows. */
  Selection finish(Select query, Rows rows) {
    List<Expression.Call> aggregates = aggregates(query);
    if (query.groupBy().isEmpty() && aggregates.isEmpty()) {
      return new Selection(rows, Optional.empty(), projection(query), query.distinct());
    }
    Grouping grouping = grouping(query, aggregates);
    return new Selection(rows, Optional.of(grouping), projection(query), query.distinct());
  }

  private Grouping grouping(Select query, List<Expression.Call> aggregates) {
    if (query.projection() instanceof Select.Projection.Everything(Span span)) {
      throw new SqlException(
          "SC2041", span, "'SELECT *' is not allowed in presence of GROUP BY clause.");
    }
    int slot = context.newSlots(query.groupBy().size() + aggregates.size());
    Map<String, Integer> slots = new HashMap<>();
    List<Scalar> keys = scalars.compile(query.groupBy());
    List<Aggregate> compiled = new ArrayList<>();
    for (Expression.Call call : aggregates) {
      slots.put(Printer.print(call), slot + keys.size() + compiled.size());
      compiled.add(aggregate(call));
    }
    for (int i = 0; i < keys.size(); i++) {
      Expression key = query.groupBy().get(i);
      slots.put(Printer.print(key), slot + i);
    }
    scope.group(slots);
    return new Grouping(keys, compiled, slot);
  }

  private Aggregate aggregate(Expression.Call call) {
    if (call.arguments().size() != 1) {
      throw SqlException.arguments(call.span(), call.name(), 1, 1);
    }
    Aggregate.Kind kind = Aggregate.Kind.find(call.name()).orElseThrow();
    return new Aggregate(kind, scalars.compile(call.arguments().getFirst()));
  }

  private static void each(Select.Projection projection, Consumer<Expression> consumer) {
    switch (projection) {
      case Select.Projection.Everything _ -> {}
      case Select.Projection.Single(Expression value) -> consumer.accept(value);
      case Select.Projection.Listed(List<Select.Item> items) ->
          items.forEach(item -> consumer.accept(item.value()));
    }
  }

  /** Collects the aggregates of an expression, except those in subqueries. */
  private static void collect(Expression expression, List<Expression.Call> aggregates) {
    if (expression instanceof Expression.Call call
        && !call.custom()
        && Aggregate.Kind.find(call.name()).isPresent()) {
      String text = Printer.print(call);
      if (aggregates.stream().noneMatch(other -> Printer.print(other).equals(text))) {
        aggregates.add(call);
      }
      return;
    }
    for (Expression child : Children.of(expression)) {
      collect(child, aggregates);
    }
  }

  private Scalar projection(Select query) {
    return switch (query.projection()) {
      case Select.Projection.Everything(Span span) -> everything(query, span);
      case Select.Projection.Single(Expression value) -> scalars.compile(value);
      case Select.Projection.Listed(List<Select.Item> items) -> {
        List<String> names = new ArrayList<>();
        int unnamed = 0;
        for (Select.Item item : items) {
          String name = item.alias() == null ? defaultName(item.value()) : item.alias();
          names.add(name == null ? "$" + ++unnamed : name);
        }
        yield scalars.object(names, items.stream().map(Select.Item::value).toList());
      }
    };
  }

  private Scalar everything(Select query, Span span) {
    if (query.from().isEmpty()) {
      throw new SqlException("SC2040", span, "'SELECT *' is not valid if FROM clause is omitted.");
    }
    if (query.from().size() != 1 || scope.size() != 1) {
      throw new SqlException("SC2040", span, "'SELECT *' is only valid with a single input set.");
    }
    Scope.Binding only = scope.only();
    if (only.slot() == Context.ROOT) {
      context.decorate();
    }
    return Access.variable(only.slot());
  }

  private static @Nullable String defaultName(Expression value) {
    return switch (value) {
      case Expression.Name(String name, _) -> name;
      case Expression.Member(_, String name, _) -> name;
      case Expression _ -> null;
    };
  }

  /** Returns the value of TOP, OFFSET or LIMIT. */
  long amount(@Nullable Expression amount, long standard, String code, String clause) {
    if (amount == null) {
      return standard;
    }
    Value value =
        scalars.compile(amount) instanceof Constant(Value constant) ? constant : Value.MISSING;
    double number = value.isNumber() ? value.asDouble() : -1;
    if (number < 0 || number > Integer.MAX_VALUE || number != Math.rint(number)) {
      throw new SqlException(
          code,
          amount.span(),
          "The value of " + clause + " must be an integer from 0 to " + Integer.MAX_VALUE + ".");
    }
    return (long) number;
  }
}
