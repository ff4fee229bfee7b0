package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.sql.Access;
import dev.mayfly.sql.Aggregate;
import dev.mayfly.sql.Arithmetic;
import dev.mayfly.sql.Call;
import dev.mayfly.sql.Comparison;
import dev.mayfly.sql.Constant;
import dev.mayfly.sql.Construction;
import dev.mayfly.sql.Function;
import dev.mayfly.sql.Functions;
import dev.mayfly.sql.Like;
import dev.mayfly.sql.Logic;
import dev.mayfly.sql.Row;
import dev.mayfly.sql.Scalar;
import dev.mayfly.sql.Subqueries;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compiles expressions in a scope and folds constants. */
final class ScalarCompiler {
  private static final Row EMPTY_ROW = Row.of(0, 0);

  /** Numeric constants by name, unless the name is an alias. */
  private static final Map<String, Constant> NUMBERS =
      Map.of(
          "NaN", new Constant(Value.of(Double.NaN)),
          "Infinity", new Constant(Value.of(Double.POSITIVE_INFINITY)));

  private static final Constant NO_ESCAPE = new Constant(Value.of(""));

  private final Context context;
  private final Scope scope;

  ScalarCompiler(Context context, Scope scope) {
    this.context = context;
    this.scope = scope;
  }

  List<Scalar> compile(List<Expression> expressions) {
    return expressions.stream().map(this::compile).toList();
  }

  Scalar compile(Expression expression) {
    Integer groupSlot = groupSlot(expression);
    return groupSlot == null ? compilePlain(expression) : Access.variable(groupSlot);
  }

  /** Returns the variable of an expression that is a group key or an aggregate; else null. */
  private @Nullable Integer groupSlot(Expression expression) {
    return scope.isGrouped() ? scope.groupSlot(Printer.print(expression)) : null;
  }

  private Scalar compilePlain(Expression expression) {
    return switch (expression) {
      case Expression.Literal(Value value, _) -> new Constant(value);
      case Expression.Parameter parameter -> new Constant(context.parameter(parameter));
      case Expression.Name name -> name(name);
      case Expression.Member member -> member(member);
      case Expression.Element(Expression of, Expression index, _) -> {
        Scalar object = compile(of);
        Scalar key = compile(index);
        yield folded(Access.element(object, key), object, key);
      }
      case Expression.Unary(Expression.Sign sign, Expression operand, _) ->
          unary(sign, compile(operand));
      case Expression.Binary binary -> arithmetic(binary);
      case Expression.Compare(Operator operator, Expression a, Expression b, _) -> {
        Scalar left = compile(a);
        Scalar right = compile(b);
        yield folded(Comparison.of(operator, left, right), left, right);
      }
      case Expression.Logical(boolean all, List<Expression> members, _) -> {
        List<Scalar> each = compile(members);
        yield folded(all ? Logic.and(each) : Logic.or(each), each);
      }
      case Expression.In(Expression value, List<Expression> others, _) ->
          Comparison.in(compile(value), compile(others));
      case Expression.Between between -> between(between);
      case Expression.Like like -> like(like);
      case Expression.Coalesce(Expression first, Expression second, _) ->
          Access.orElse(compile(first), compile(second));
      case Expression.Choice(Expression condition, Expression then, Expression otherwise, _) ->
          Logic.choice(compile(condition), compile(then), compile(otherwise));
      case Expression.Call call -> call(call);
      case Expression.NewArray(List<Expression> elements, _) -> {
        List<Scalar> each = compile(elements);
        yield folded(Construction.array(each), each);
      }
      case Expression.NewObject object -> object(object.names(), object.values());
      case Expression.Subquery(Expression.Use use, Select query, _) -> subquery(use, query);
    };
  }

  /**
   * Compiles a chain such as {@code 1 + 2 + 3}, which nests to the left, without recursion: the
   * stack of a thread might not be large enough for a long one.
   */
  private Scalar arithmetic(Expression.Binary last) {
    Deque<Expression.Binary> chain = new ArrayDeque<>();
    chain.push(last);
    Expression first = last.left();
    while (first instanceof Expression.Binary inner && groupSlot(inner) == null) {
      chain.push(inner);
      first = inner.left();
    }
    Scalar result = compile(first);
    while (!chain.isEmpty()) {
      Expression.Binary next = chain.pop();
      Scalar right = compile(next.right());
      result = folded(Arithmetic.of(next.operator(), result, right), result, right);
    }
    return result;
  }

  /** Compiles an object; of duplicate names the last wins. */
  Scalar object(List<String> names, List<Expression> values) {
    Map<String, Scalar> fields = new LinkedHashMap<>();
    for (int i = 0; i < names.size(); i++) {
      fields.put(names.get(i), compile(values.get(i)));
    }
    List<Scalar> each = List.copyOf(fields.values());
    return folded(Construction.object(List.copyOf(fields.keySet()), each), each);
  }

  private Scalar name(Expression.Name name) {
    Constant number = NUMBERS.get(name.name());
    if (number != null && scope.find(name.name()) == null) {
      return number;
    }
    Scope.Binding binding = resolve(name);
    if (binding.slot() == Context.ROOT) {
      context.decorate();
    }
    return Access.variable(binding.slot());
  }

  private Scope.Binding resolve(Expression.Name name) {
    Scope.Binding binding = scope.find(name.name());
    if (binding == null) {
      throw SqlException.unresolved(name.span(), name.name());
    }
    if (scope.isUngrouped(name.name())) {
      throw notGrouped(name);
    }
    return binding;
  }

  private static SqlException notGrouped(Expression expression) {
    return new SqlException(
        "SC2102",
        expression.span(),
        "Property reference '"
            + Printer.print(expression)
            + "' is invalid in the select list because it is not contained in either an aggregate"
            + " function or the GROUP BY clause.");
  }

  private Scalar member(Expression.Member member) {
    List<String> steps = new ArrayList<>();
    Expression base = base(member, steps);
    if (!(base instanceof Expression.Name name) || scope.isGrouped()) {
      return grouped(member);
    }
    Scope.Binding binding = resolve(name);
    if (binding.slot() != Context.ROOT) {
      return Access.path(binding.slot(), steps);
    }
    String first = steps.getFirst();
    if (Context.SYSTEM.contains(first)) {
      context.decorate();
    }
    return context.isComputed(first) ? computed(steps) : Access.path(Context.ROOT, steps);
  }

  /** Compiles a field of an expression; or of a name, if the query is grouped. */
  private Scalar grouped(Expression.Member member) {
    if (groupSlot(member.of()) == null && member.of() instanceof Expression.Name name) {
      if (scope.isUngrouped(name.name())) {
        throw notGrouped(member);
      }
      if (resolve(name).slot() == Context.ROOT) {
        context.decorate();
      }
    }
    Scalar of = compile(member.of());
    return folded(Access.member(of, member.name()), of);
  }

  /** Returns the base of a chain of fields and collects their names. */
  private static Expression base(Expression.Member member, List<String> steps) {
    Expression at = member;
    while (at instanceof Expression.Member(Expression of, String name, _)) {
      steps.addFirst(name);
      at = of;
    }
    return at;
  }

  private Scalar computed(List<String> steps) {
    String property = steps.getFirst();
    Scope itemScope = new Scope(null);
    itemScope.bind(context.computedAlias(property), new Scope.Binding(Context.ROOT, ROOT_PATH));
    Scalar value = new ScalarCompiler(context, itemScope).compile(context.computed(property));
    Scalar whole = Access.orElse(Access.path(Context.ROOT, List.of(property)), value);
    for (String step : steps.subList(1, steps.size())) {
      whole = Access.member(whole, step);
    }
    return whole;
  }

  static final FieldPath ROOT_PATH = FieldPath.of(List.of());

  private Scalar unary(Expression.Sign sign, Scalar operand) {
    Scalar result =
        switch (sign) {
          case MINUS -> Arithmetic.negation(operand);
          case PLUS -> Arithmetic.identity(operand);
          case INVERT -> Arithmetic.complement(operand);
          case NOT -> Logic.not(operand);
        };
    return folded(result, operand);
  }

  private Scalar between(Expression.Between between) {
    Scalar value = compile(between.value());
    return Logic.and(
        List.of(
            Comparison.of(Operator.GTE, value, compile(between.low())),
            Comparison.of(Operator.LTE, value, compile(between.high()))));
  }

  private Scalar like(Expression.Like like) {
    Expression escape = like.escape();
    return Like.of(
        compile(like.value()),
        compile(like.pattern()),
        escape == null ? NO_ESCAPE : compile(escape));
  }

  private Scalar call(Expression.Call call) {
    if (call.custom()) {
      throw new SqlException(
          "SC2006", call.span(), "User defined function '" + call.name() + "' is not supported.");
    }
    if (Aggregate.Kind.find(call.name()).isPresent()) {
      throw new SqlException(
          "SC2101", call.span(), "An aggregate function cannot be used in this place.");
    }
    Function function =
        Functions.find(call.name().toUpperCase(Locale.ROOT), context.geospatial())
            .orElseThrow(() -> SqlException.unknownFunction(call.span(), call.name()));
    int count = call.arguments().size();
    if (count < function.minArguments() || count > function.maxArguments()) {
      throw SqlException.arguments(
          call.span(), call.name(), function.minArguments(), function.maxArguments());
    }
    List<Scalar> arguments = compile(call.arguments());
    Scalar result = Call.of(function, arguments);
    return function.deterministic() ? folded(result, arguments) : result;
  }

  private Scalar subquery(Expression.Use use, Select query) {
    SelectCompiler inner = new SelectCompiler(context, scope);
    return switch (use) {
      case ONLY -> Subqueries.only(inner.scalar(query));
      case EXISTS -> Subqueries.exists(inner.nested(query));
      case ARRAY -> Subqueries.array(inner.nested(query));
      case ALL -> Subqueries.all(inner.nested(query));
      case FIRST -> Subqueries.first(inner.nested(query));
      case LAST -> Subqueries.last(inner.nested(query));
    };
  }

  private static Scalar folded(Scalar result, Scalar... operands) {
    return folded(result, List.of(operands));
  }

  /** Folds the result if all operands are constants. */
  private static Scalar folded(Scalar result, List<Scalar> operands) {
    for (Scalar operand : operands) {
      if (!(operand instanceof Constant)) {
        return result;
      }
    }
    return new Constant(result.evaluate(EMPTY_ROW));
  }

  /** Returns the value of a constant expression; null if it is not constant. */
  @Nullable Value constant(Expression expression) {
    return isConstant(expression) && compile(expression) instanceof Constant(Value value)
        ? value
        : null;
  }

  /**
   * Whether an expression reads no variables. Avoids compiling expressions that are not constant.
   */
  private static boolean isConstant(Expression expression) {
    return switch (expression) {
      case Expression.Literal _, Expression.Parameter _ -> true;
      case Expression.Unary(_, Expression operand, _) -> isConstant(operand);
      case Expression.Binary(_, Expression left, Expression right, _) ->
          isConstant(left) && isConstant(right);
      case Expression.NewArray(List<Expression> elements, _) ->
          elements.stream().allMatch(ScalarCompiler::isConstant);
      case Expression.NewObject object ->
          object.values().stream().allMatch(ScalarCompiler::isConstant);
      case Expression.Call(_, boolean custom, List<Expression> arguments, _) ->
          !custom && arguments.stream().allMatch(ScalarCompiler::isConstant);
      case Expression _ -> false;
    };
  }
}
