package dev.mayfly.sql.compiler;

import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.sql.Like;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates conditions into filters, which the engine can answer from an index.
 *
 * <p>A filter has the same value as the condition, including undefined, so it may be negated. Some
 * are equivalent only where undefined counts as false; those are used only at the top level.
 */
final class Conditions {
  private static final Map<String, Set<Type>> TYPES =
      Map.of(
          "IS_NULL", Set.of(Type.NULL),
          "IS_BOOL", Set.of(Type.BOOLEAN),
          "IS_BOOLEAN", Set.of(Type.BOOLEAN),
          "IS_NUMBER", Set.of(Type.INT32, Type.INT64, Type.DOUBLE, Type.DECIMAL128),
          "IS_STRING", Set.of(Type.STRING),
          "IS_ARRAY", Set.of(Type.ARRAY),
          "IS_OBJECT", Set.of(Type.OBJECT));

  private final Context context;
  private final Scope scope;
  private final ScalarCompiler scalars;
  private final Scope.@Nullable Binding element;

  /** Creates a translator for conditions on items. */
  Conditions(Context context, Scope scope, ScalarCompiler scalars) {
    this(context, scope, scalars, null);
  }

  /** Creates a translator for conditions on elements of an array: paths are relative to them. */
  Conditions(
      Context context, Scope scope, ScalarCompiler scalars, Scope.@Nullable Binding element) {
    this.context = context;
    this.scope = scope;
    this.scalars = scalars;
    this.element = element;
  }

  /** Returns the filter for items for which the condition is true; null if there is none. */
  @Nullable Filter whereTrue(Expression condition) {
    Filter exact = filter(condition);
    return exact == null ? topLevel(condition) : exact;
  }

  /** Returns a filter that is undefined where the condition is; null if there is none. */
  private @Nullable Filter filter(Expression condition) {
    return switch (condition) {
      case Expression.Literal(Value value, _) when value.type() == Type.BOOLEAN ->
          value.asBoolean() ? Filter.all() : Filter.none();
      case Expression.Compare(Operator operator, Expression left, Expression right, _) ->
          comparison(operator, left, right);
      case Expression.In(Expression value, List<Expression> others, _) -> in(value, others);
      case Expression.Between(Expression value, Expression low, Expression high, _) ->
          and(comparison(Operator.GTE, value, low), comparison(Operator.LTE, value, high));
      case Expression.Logical(boolean all, List<Expression> members, _) -> logical(all, members);
      case Expression.Unary(Expression.Sign sign, Expression operand, _)
          when sign == Expression.Sign.NOT -> {
        Filter member = filter(operand);
        yield member == null ? null : new Filter.Not(member);
      }
      case Expression.Like(Expression value, Expression pattern, Expression escape, _)
          when escape == null ->
          like(value, pattern);
      case Expression.Call(String name, boolean custom, List<Expression> arguments, _)
          when !custom ->
          call(name.toUpperCase(Locale.ROOT), arguments);
      case Expression _ -> null;
    };
  }

  /** Returns a filter that may be false where the condition is undefined; null if there is none. */
  private @Nullable Filter topLevel(Expression condition) {
    if (condition
            instanceof Expression.Call(String name, boolean custom, List<Expression> arguments, _)
        && !custom
        && name.equalsIgnoreCase("ARRAY_CONTAINS")
        && arguments.size() == 2) {
      FieldPath array = path(arguments.getFirst());
      Value element = scalars.constant(arguments.getLast());
      return array == null || element == null
          ? null
          : new Filter.ElementMatch(array, Filter.equal(ScalarCompiler.ROOT_PATH, element));
    }
    FieldPath flag = path(condition);
    return flag == null ? null : Filter.equal(flag, Value.TRUE);
  }

  private @Nullable Filter comparison(Operator operator, Expression left, Expression right) {
    FieldPath path = path(left);
    if (path != null) {
      Value value = scalars.constant(right);
      return value == null ? null : new Filter.Compare(path, operator, value);
    }
    path = path(right);
    Value value = path == null ? null : scalars.constant(left);
    return path == null || value == null
        ? null
        : new Filter.Compare(path, operator.mirrored(), value);
  }

  private @Nullable Filter in(Expression value, List<Expression> others) {
    FieldPath path = path(value);
    List<Value> values = new ArrayList<>();
    for (Expression other : path == null ? List.<Expression>of() : others) {
      Value constant = scalars.constant(other);
      if (constant == null) {
        return null;
      }
      values.add(constant);
    }
    return path == null ? null : new Filter.In(path, values);
  }

  private static @Nullable Filter and(@Nullable Filter a, @Nullable Filter b) {
    return a == null || b == null ? null : new Filter.And(List.of(a, b));
  }

  private @Nullable Filter logical(boolean all, List<Expression> members) {
    List<Filter> filters = new ArrayList<>();
    for (Expression member : members) {
      Filter filter = filter(member);
      if (filter == null) {
        return null;
      }
      filters.add(filter);
    }
    return all ? new Filter.And(filters) : new Filter.Or(filters);
  }

  private @Nullable Filter like(Expression value, Expression pattern) {
    FieldPath path = path(value);
    Value text = path == null ? null : scalars.constant(pattern);
    if (path == null || text == null || text.type() != Type.STRING) {
      return null;
    }
    return Like.prefix(text.asString())
        .<Filter>map(prefix -> new Filter.Prefix(path, prefix))
        .orElse(null);
  }

  private @Nullable Filter call(String name, List<Expression> arguments) {
    FieldPath path = arguments.isEmpty() ? null : path(arguments.getFirst());
    if (path == null) {
      return null;
    }
    if (arguments.size() == 1) {
      Set<Type> types = TYPES.get(name);
      return name.equals("IS_DEFINED")
          ? new Filter.Exists(path, true)
          : types == null ? null : new Filter.OfType(path, types);
    }
    Value prefix =
        name.equals("STARTSWITH") && arguments.size() == 2
            ? scalars.constant(arguments.getLast())
            : null;
    return prefix == null || prefix.type() != Type.STRING
        ? null
        : new Filter.Prefix(path, prefix.asString());
  }

  /** Returns the path of an expression in the stored item or element; null if it is not a path. */
  @Nullable FieldPath path(Expression expression) {
    FieldPath findPath = findPath(expression);
    // the whole item has system properties, which are not stored
    return findPath == null || (findPath.length() == 0 && element == null) ? null : findPath;
  }

  private @Nullable FieldPath findPath(Expression expression) {
    return switch (expression) {
      case Expression.Name(String name, _) -> {
        Scope.Binding binding = scope.find(name);
        yield binding == null ? null : findPath(binding);
      }
      case Expression.Member(Expression of, String name, _) -> {
        FieldPath base = findPath(of);
        yield base == null || !isPlain(name) || isComputed(base, name) ? null : base.child(name);
      }
      case Expression _ -> null;
    };
  }

  private @Nullable FieldPath findPath(Scope.Binding binding) {
    return element == null
        ? binding.path()
        : binding.equals(element) ? ScalarCompiler.ROOT_PATH : null;
  }

  /** Whether a property is computed: neither stored nor known to the engine. */
  private boolean isComputed(FieldPath base, String name) {
    boolean system = Context.SYSTEM.contains(name) && !name.equals(Context.WRITTEN);
    return base.length() == 0 && element == null && (system || context.isComputed(name));
  }

  /** Whether the engine cannot mistake a name for an array index. */
  static boolean isPlain(String name) {
    return !name.isEmpty()
        && !name.equals("[]")
        && name.indexOf(0) < 0
        && !(name.charAt(0) >= '0' && name.charAt(0) <= '9');
  }
}
