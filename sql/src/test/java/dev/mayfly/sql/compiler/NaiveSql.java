package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Interprets the syntax tree of a query on plain Java objects, as slowly and simply as can be: what
 * compiled queries are compared with. Numbers are doubles; objects are maps, so that the order of
 * fields does not matter.
 */
public final class NaiveSql {
  /** Undefined, and JSON's null. */
  private enum Nothing {
    UNDEFINED,
    NULL
  }

  private static final Nothing UNDEFINED = Nothing.UNDEFINED;
  private static final Nothing NULL = Nothing.NULL;

  /** A subquery that should be one value is several. */
  public static final class SeveralRows extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  private final List<Object> items;

  public NaiveSql(List<Document> items) {
    this.items = items.stream().map(item -> plain(Value.of(item))).toList();
  }

  public static Object plain(Value value) {
    return switch (value.type()) {
      case MISSING -> UNDEFINED;
      case NULL -> NULL;
      case BOOLEAN -> value.asBoolean();
      case STRING -> value.asString();
      case ARRAY -> {
        List<Object> list = new ArrayList<>();
        Fields elements = value.asDocument().fields();
        while (elements.next()) {
          list.add(plain(elements.value()));
        }
        yield list;
      }
      case OBJECT -> {
        Map<String, Object> map = new HashMap<>();
        Fields fields = value.asDocument().fields();
        while (fields.next()) {
          map.put(fields.name(), plain(fields.value()));
        }
        yield map;
      }
      default -> number(value.asDouble());
    };
  }

  private static Object number(double number) {
    return Double.isFinite(number) ? (Object) (number == 0 ? 0.0 : number) : UNDEFINED;
  }

  /** All results, in the order of the keys if there are any; TOP, OFFSET and LIMIT do not count. */
  public List<Object> run(Select query) {
    List<Map<String, Object>> rows = new ArrayList<>();
    for (Object item : items) {
      Map<String, Object> row = new HashMap<>();
      row.put("c", item);
      rows.add(row);
    }
    List<Map<String, Object>> joined = joined(rows, query.from().subList(1, query.from().size()));
    for (Select.Key key : query.orderBy().reversed()) {
      Comparator<Map<String, Object>> order =
          (a, b) -> compare(evaluate(key.value(), a), evaluate(key.value(), b));
      joined.sort(key.descending() ? order.reversed() : order);
    }
    return finish(query, joined);
  }

  /** How two values are ordered; all arrays are alike, and so are all objects. */
  public static int compare(Object a, Object b) {
    int types = Integer.compare(place(a), place(b));
    return types != 0
        ? types
        : switch (a) {
          case Boolean truth -> Boolean.compare(truth, (Boolean) b);
          case Double number -> Double.compare(number, (Double) b);
          case String text -> text.compareTo((String) b);
          default -> 0;
        };
  }

  private static int place(Object value) {
    return switch (value) {
      case Nothing nothing -> nothing == UNDEFINED ? 0 : 1;
      case Boolean _ -> 2;
      case Double _ -> 3;
      case String _ -> 4;
      case List<?> _ -> 5;
      default -> 6;
    };
  }

  /** The same with numbers to twelve digits: sums differ in the last by the way they are made. */
  public static Object rounded(Object value) {
    return switch (value) {
      case Double number -> new BigDecimal(number).round(new MathContext(12)).doubleValue();
      case List<?> list -> list.stream().map(NaiveSql::rounded).toList();
      case Map<?, ?> map -> {
        Map<Object, Object> all = new HashMap<>();
        map.forEach((name, field) -> all.put(name, rounded(field)));
        yield all;
      }
      default -> value;
    };
  }

  /** Whether a value is undefined. */
  public static boolean isUndefined(Object value) {
    return value == UNDEFINED;
  }

  /** What an object has of a name. */
  public static Object field(Object object, String name) {
    return object instanceof Map<?, ?> map && map.containsKey(name)
        ? Objects.requireNonNull(map.get(name))
        : UNDEFINED;
  }

  private List<Object> select(Select query, Map<String, Object> outer) {
    return finish(query, joined(List.of(outer), query.from()));
  }

  private List<Map<String, Object>> joined(
      List<Map<String, Object>> rows, List<Select.From> parts) {
    List<Map<String, Object>> all = rows;
    for (Select.From part : parts) {
      List<Map<String, Object>> next = new ArrayList<>();
      for (Map<String, Object> row : all) {
        for (Object value : ranged(part, row)) {
          Map<String, Object> longer = new HashMap<>(row);
          longer.put(name(part), value);
          next.add(longer);
        }
      }
      all = next;
    }
    return all;
  }

  private static String name(Select.From part) {
    return switch (part) {
      case Select.From.Value(_, String alias, _) -> Objects.requireNonNull(alias);
      case Select.From.Elements(String variable, _, _) -> variable;
      case Select.From.Spread(String variable, _, _) -> variable;
      case Select.From.Results(_, String variable, _) -> Objects.requireNonNull(variable);
    };
  }

  private List<?> ranged(Select.From part, Map<String, Object> row) {
    return switch (part) {
      case Select.From.Value(Expression path, _, _) -> {
        Object value = evaluate(path, row);
        yield UNDEFINED.equals(value) ? List.of() : List.of(value);
      }
      case Select.From.Elements(_, Expression path, _) ->
          evaluate(path, row) instanceof List<?> list ? list : List.of();
      case Select.From.Results(Select query, _, _) -> select(query, row);
      case Select.From.Spread(_, Select query, _) ->
          select(query, row).stream()
              .flatMap(one -> one instanceof List<?> list ? list.stream() : Stream.of(one))
              .toList();
    };
  }

  private List<Object> finish(Select query, List<Map<String, Object>> rows) {
    Expression where = query.where();
    List<Map<String, Object>> kept =
        where == null
            ? rows
            : rows.stream().filter(row -> evaluate(where, row).equals(true)).toList();
    List<Object> results = new ArrayList<>();
    boolean aggregates =
        query.projection() instanceof Select.Projection.Listed(List<Select.Item> items)
            && items.stream().anyMatch(item -> "g0".equals(item.alias()));
    if (aggregates) {
      Map<Object, List<Map<String, Object>>> groups = new LinkedHashMap<>();
      if (query.groupBy().isEmpty()) {
        groups.put(List.of(), new ArrayList<>());
      }
      for (Map<String, Object> row : kept) {
        Object key = query.groupBy().stream().map(one -> evaluate(one, row)).toList();
        groups.computeIfAbsent(key, _ -> new ArrayList<>()).add(row);
      }
      groups.values().forEach(group -> results.add(gathered(query, group)));
    } else {
      kept.forEach(row -> results.add(projected(query, row)));
    }
    results.removeIf(result -> UNDEFINED.equals(result));
    return query.distinct() ? new ArrayList<>(new LinkedHashSet<>(results)) : results;
  }

  private Object projected(Select query, Map<String, Object> row) {
    return switch (query.projection()) {
      case Select.Projection.Everything _ -> throw new AssertionError();
      case Select.Projection.Single(Expression value) -> evaluate(value, row);
      case Select.Projection.Listed(List<Select.Item> items) -> {
        Map<String, Object> object = new HashMap<>();
        items.forEach(
            item -> put(object, Objects.requireNonNull(item.alias()), evaluate(item.value(), row)));
        yield object;
      }
    };
  }

  private static void put(Map<String, Object> object, String name, Object value) {
    if (!UNDEFINED.equals(value)) {
      object.put(name, value);
    }
  }

  private Object gathered(Select query, List<Map<String, Object>> group) {
    Map<String, Object> object = new HashMap<>();
    for (Select.Item item : ((Select.Projection.Listed) query.projection()).items()) {
      Object value =
          switch (item.value()) {
            case Expression.Call call -> aggregate(call, group);
            case Expression.NewArray(List<Expression> elements, _) -> {
              Object only = aggregate((Expression.Call) elements.getFirst(), group);
              yield UNDEFINED.equals(only) ? List.of() : List.of(only);
            }
            case Expression key -> evaluate(key, group.getFirst());
          };
      put(object, Objects.requireNonNull(item.alias()), value);
    }
    return object;
  }

  private Object aggregate(Expression.Call call, List<Map<String, Object>> group) {
    List<Object> values =
        group.stream()
            .map(row -> evaluate(call.arguments().getFirst(), row))
            .filter(value -> !UNDEFINED.equals(value))
            .toList();
    boolean numbers = values.stream().allMatch(Double.class::isInstance);
    double sum = numbers ? values.stream().mapToDouble(Double.class::cast).sum() : 0;
    return switch (call.name()) {
      case "COUNT" -> (double) values.size();
      case "COUNTIF" -> (double) values.stream().filter(value -> value.equals(true)).count();
      case "SUM" -> numbers ? (Object) (sum + 0.0) : UNDEFINED;
      case "AVG" -> numbers && !values.isEmpty() ? (Object) (sum / values.size()) : UNDEFINED;
      default -> extreme(values, call.name().equals("MIN") ? -1 : 1);
    };
  }

  private static Object extreme(List<Object> values, int sign) {
    Object best = UNDEFINED;
    for (Object value : values) {
      if (value instanceof List || value instanceof Map) {
        return UNDEFINED;
      }
      if (UNDEFINED.equals(best) || Integer.signum(total(value, best)) == sign) {
        best = value;
      }
    }
    return best;
  }

  private static int rank(Object value) {
    return NULL.equals(value) ? 0 : value instanceof Boolean ? 1 : value instanceof Double ? 2 : 3;
  }

  private static int total(Object a, Object b) {
    return rank(a) != rank(b) ? rank(a) - rank(b) : same(a, b);
  }

  private static int same(Object a, Object b) {
    return switch (a) {
      case Boolean left -> left.compareTo((Boolean) b);
      case Double left -> left.compareTo((Double) b);
      case String left -> left.compareTo((String) b);
      default -> 0;
    };
  }

  private Object evaluate(Expression expression, Map<String, Object> row) {
    return switch (expression) {
      case Expression.Literal(Value value, _) -> plain(value);
      case Expression.Parameter _ -> throw new AssertionError();
      case Expression.Name(String name, _) -> Objects.requireNonNull(row.get(name));
      case Expression.Member(Expression of, String name, _) -> member(evaluate(of, row), name);
      case Expression.Element(Expression of, Expression index, _) ->
          element(evaluate(of, row), evaluate(index, row));
      case Expression.Unary(Expression.Sign sign, Expression operand, _) ->
          unary(sign, evaluate(operand, row));
      case Expression.Binary binary ->
          binary(
              binary.operator().symbol(),
              evaluate(binary.left(), row),
              evaluate(binary.right(), row));
      case Expression.Compare(Operator operator, Expression left, Expression right, _) ->
          compared(operator, evaluate(left, row), evaluate(right, row));
      case Expression.Logical(boolean all, List<Expression> members, _) ->
          logical(all, members.stream().map(member -> evaluate(member, row)).toList());
      case Expression.In(Expression value, List<Expression> others, _) -> {
        Object needle = evaluate(value, row);
        List<Object> values = others.stream().map(other -> evaluate(other, row)).toList();
        yield UNDEFINED.equals(needle) ? UNDEFINED : (Object) values.contains(needle);
      }
      case Expression.Between(Expression value, Expression low, Expression high, _) -> {
        Object middle = evaluate(value, row);
        yield logical(
            true,
            List.of(
                compared(Operator.GTE, middle, evaluate(low, row)),
                compared(Operator.LTE, middle, evaluate(high, row))));
      }
      case Expression.Like(Expression value, Expression pattern, _, _) ->
          like(evaluate(value, row), evaluate(pattern, row));
      case Expression.Coalesce(Expression first, Expression second, _) -> {
        Object left = evaluate(first, row);
        Object right = evaluate(second, row);
        yield UNDEFINED.equals(left) ? right : left;
      }
      case Expression.Choice(Expression condition, Expression then, Expression otherwise, _) -> {
        Object yes = evaluate(then, row);
        Object no = evaluate(otherwise, row);
        yield evaluate(condition, row).equals(true) ? yes : no;
      }
      case Expression.Call call ->
          called(call.name(), call.arguments().stream().map(one -> evaluate(one, row)).toList());
      case Expression.NewArray(List<Expression> elements, _) ->
          elements.stream()
              .map(one -> evaluate(one, row))
              .filter(one -> !UNDEFINED.equals(one))
              .toList();
      case Expression.NewObject object -> {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < object.names().size(); i++) {
          put(map, object.names().get(i), evaluate(object.values().get(i), row));
        }
        yield map;
      }
      case Expression.Subquery(Expression.Use use, Select query, _) ->
          used(use, select(query, row));
    };
  }

  private static Object used(Expression.Use use, List<Object> results) {
    return switch (use) {
      case ONLY -> {
        if (results.size() > 1) {
          throw new SeveralRows();
        }
        yield results.isEmpty() ? UNDEFINED : results.getFirst();
      }
      case EXISTS -> !results.isEmpty();
      case ARRAY -> results;
      case ALL -> results.stream().allMatch(result -> result.equals(true));
      case FIRST -> results.isEmpty() ? UNDEFINED : results.getFirst();
      case LAST -> results.isEmpty() ? UNDEFINED : results.getLast();
    };
  }

  private static Object member(Object of, String name) {
    return of instanceof Map<?, ?> map && map.containsKey(name)
        ? Objects.requireNonNull(map.get(name))
        : UNDEFINED;
  }

  private static Object element(Object of, Object index) {
    if (index instanceof String name) {
      return member(of, name);
    }
    boolean there =
        of instanceof List<?> list
            && index instanceof Double place
            && place == Math.rint(place)
            && place >= 0
            && place < list.size();
    return there ? ((List<?>) of).get(((Double) index).intValue()) : UNDEFINED;
  }

  private static Object unary(Expression.Sign sign, Object operand) {
    if (sign == Expression.Sign.NOT) {
      return operand instanceof Boolean truth ? (Object) !truth : UNDEFINED;
    }
    if (!(operand instanceof Double number)) {
      return UNDEFINED;
    }
    return switch (sign) {
      case MINUS -> number(-number);
      case PLUS -> number;
      default -> (double) ~number.intValue();
    };
  }

  private static Object binary(String symbol, Object left, Object right) {
    if (symbol.equals("||")) {
      return left instanceof String a && right instanceof String b ? a + b : UNDEFINED;
    }
    if (!(left instanceof Double a) || !(right instanceof Double b)) {
      return UNDEFINED;
    }
    int i = (int) (long) (double) a;
    int j = (int) (long) (double) b;
    return number(
        switch (symbol) {
          case "+" -> a + b;
          case "-" -> a - b;
          case "*" -> a * b;
          case "/" -> a / b;
          case "%" -> a % b;
          case "&" -> i & j;
          case "|" -> i | j;
          case "^" -> i ^ j;
          case "<<" -> i << j;
          case ">>" -> i >> j;
          case ">>>" -> Integer.toUnsignedLong(i >>> j);
          default -> throw new AssertionError(symbol);
        });
  }

  private static Object compared(Operator operator, Object a, Object b) {
    if (UNDEFINED.equals(a) || UNDEFINED.equals(b)) {
      return UNDEFINED;
    }
    if (operator == Operator.EQ || operator == Operator.NE) {
      return a.equals(b) == (operator == Operator.EQ);
    }
    boolean scalars = !(a instanceof List) && !(a instanceof Map) && a.getClass() == b.getClass();
    return scalars ? (Object) operator.holds(same(a, b)) : UNDEFINED;
  }

  private static Object logical(boolean all, List<Object> members) {
    if (members.contains(!all)) {
      return !all;
    }
    return members.stream().allMatch(Boolean.class::isInstance) ? (Object) all : UNDEFINED;
  }

  private static Object like(Object value, Object pattern) {
    if (!(value instanceof String text) || !(pattern instanceof String shape)) {
      return UNDEFINED;
    }
    String regex = shape.replace("%", ".*").replace("_", ".");
    return Pattern.compile(regex, Pattern.DOTALL).matcher(text).matches();
  }

  private static Object called(String name, List<Object> arguments) {
    Object first = arguments.getFirst();
    return switch (name) {
      case "IS_DEFINED" -> !UNDEFINED.equals(first);
      case "IS_NULL" -> NULL.equals(first);
      case "IS_BOOL" -> first instanceof Boolean;
      case "IS_NUMBER" -> first instanceof Double;
      case "IS_STRING" -> first instanceof String;
      case "IS_ARRAY" -> first instanceof List;
      case "IS_OBJECT" -> first instanceof Map;
      case "STARTSWITH" ->
          first instanceof String text && arguments.getLast() instanceof String prefix
              ? (Object) text.startsWith(prefix)
              : UNDEFINED;
      case "ARRAY_CONTAINS" ->
          first instanceof List<?> list && !UNDEFINED.equals(arguments.getLast())
              ? (Object) list.contains(arguments.getLast())
              : UNDEFINED;
      default -> throw new AssertionError(name);
    };
  }
}
