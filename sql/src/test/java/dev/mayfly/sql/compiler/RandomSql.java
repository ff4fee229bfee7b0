package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.sql.Arithmetic;
import dev.mayfly.sql.compiler.Expression.Use;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random queries and random items that they are about; few names and values, so that they meet. */
public final class RandomSql {
  private static final Span NOWHERE = new Span(0, 0);
  private static final String[] FIELDS = {"a", "b", "list", "o"};
  private static final String[] TEXTS = {"", "a", "ab", "b", "%", "a_"};

  private final Random random;
  private final List<String> names = new ArrayList<>();
  private int fresh;

  public RandomSql(Random random) {
    this.random = random;
  }

  public Document item() {
    return item(Document.writer());
  }

  /** Returns a random item that begins with the fields of the writer. */
  public Document item(DocumentWriter writer) {
    for (String field : FIELDS) {
      if (random.nextInt(4) > 0) {
        writer.put(field, value(2));
      }
    }
    return writer.build();
  }

  private Value value(int depth) {
    return switch (random.nextInt(depth > 0 ? 10 : 6)) {
      case 0 -> Value.NULL;
      case 1 -> Value.of(random.nextBoolean());
      case 2 -> Value.of(random.nextInt(4));
      case 3 -> Value.of(random.nextInt(6) / 2.0);
      case 4, 5 -> Value.of(TEXTS[random.nextInt(TEXTS.length)]);
      case 6, 7 -> {
        List<Value> elements = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
          elements.add(value(depth - 1));
        }
        yield Value.array(elements);
      }
      default -> {
        DocumentWriter writer = Document.writer();
        for (String field : FIELDS) {
          if (random.nextInt(3) == 0) {
            writer.put(field, value(depth - 1));
          }
        }
        yield Value.of(writer.build());
      }
    };
  }

  /** The query as a client writes it. */
  public static String text(Select query) {
    return Printer.print(query);
  }

  /** A query that gives the first results of another, or leaves some of them out. */
  public Select limited(Select all) {
    boolean top = random.nextBoolean();
    return new Select(
        all.distinct(),
        top ? number(6) : null,
        all.projection(),
        all.from(),
        all.where(),
        all.groupBy(),
        all.orderBy(),
        top ? null : number(4),
        top ? null : number(6),
        NOWHERE);
  }

  private Expression number(int bound) {
    return new Expression.Literal(Value.of(random.nextInt(bound)), NOWHERE);
  }

  /** Returns a query ordered by a field of items, which its results contain as {@code k}. */
  public Select ordered() {
    Select any = query();
    while (!any.groupBy().isEmpty() || !SelectCompiler.aggregates(any).isEmpty()) {
      any = query();
    }
    Expression key =
        new Expression.Member(
            new Expression.Name("c", NOWHERE), FIELDS[random.nextInt(FIELDS.length)], NOWHERE);
    List<Select.Item> items = new ArrayList<>();
    items.add(new Select.Item(key, "k"));
    if (any.projection() instanceof Select.Projection.Single(Expression value)) {
      items.add(new Select.Item(value, "x"));
    }
    return new Select(
        any.distinct(),
        null,
        new Select.Projection.Listed(items),
        any.from(),
        any.where(),
        List.of(),
        List.of(new Select.Key(key, random.nextBoolean())),
        null,
        null,
        NOWHERE);
  }

  /** A query on the container {@code c}. */
  public Select query() {
    names.clear();
    fresh = 0;
    return select(3, true);
  }

  private Select select(int depth, boolean top) {
    int mark = names.size();
    List<Select.From> from = from(depth, top);
    Expression where = random.nextInt(3) > 0 ? condition(depth - 1) : null;
    List<Expression> groupBy = new ArrayList<>();
    Select.Projection projection;
    if (random.nextInt(4) == 0) {
      for (int i = random.nextInt(3); i > 0; i--) {
        groupBy.add(path(1));
      }
      projection = grouped(groupBy, depth);
    } else if (random.nextBoolean()) {
      projection = new Select.Projection.Single(expression(depth - 1));
    } else {
      List<Select.Item> items = new ArrayList<>();
      for (int i = 0; i <= random.nextInt(3); i++) {
        items.add(new Select.Item(expression(depth - 1), "x" + i));
      }
      projection = new Select.Projection.Listed(items);
    }
    while (names.size() > mark) {
      names.removeLast();
    }
    return new Select(
        random.nextInt(5) == 0,
        null,
        projection,
        from,
        where,
        groupBy,
        List.of(),
        null,
        null,
        NOWHERE);
  }

  private Select.Projection grouped(List<Expression> keys, int depth) {
    List<Select.Item> items = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      items.add(new Select.Item(keys.get(i), "k" + i));
    }
    String[] aggregates = {"COUNT", "SUM", "AVG", "MIN", "MAX", "COUNTIF"};
    for (int i = 0; i <= random.nextInt(2); i++) {
      Expression call = call(aggregates[random.nextInt(aggregates.length)], expression(depth - 2));
      items.add(
          new Select.Item(
              random.nextBoolean() ? call : new Expression.NewArray(List.of(call), NOWHERE),
              "g" + i));
    }
    return new Select.Projection.Listed(items);
  }

  private List<Select.From> from(int depth, boolean top) {
    List<Select.From> parts = new ArrayList<>();
    if (top) {
      parts.add(new Select.From.Value(new Expression.Name("c", NOWHERE), null, NOWHERE));
      names.add("c");
    }
    for (int i = top ? random.nextInt(2) : 1; i > 0; i--) {
      String name = "v" + fresh++;
      parts.add(
          switch (random.nextInt(depth > 1 ? 5 : 3)) {
            case 0 -> new Select.From.Value(path(1), name, NOWHERE);
            case 1, 2 -> new Select.From.Elements(name, path(1), NOWHERE);
            case 3 -> new Select.From.Spread(name, select(depth - 2, false), NOWHERE);
            default -> new Select.From.Results(select(depth - 2, false), name, NOWHERE);
          });
      names.add(name);
    }
    return parts;
  }

  private Expression path(int least) {
    Expression path = new Expression.Name(names.get(random.nextInt(names.size())), NOWHERE);
    for (int i = least + random.nextInt(2); i > 0; i--) {
      path =
          random.nextInt(6) == 0
              ? new Expression.Element(
                  path, new Expression.Literal(Value.of(random.nextInt(3)), NOWHERE), NOWHERE)
              : new Expression.Member(path, FIELDS[random.nextInt(FIELDS.length)], NOWHERE);
    }
    return path;
  }

  private static Expression call(String name, Expression... arguments) {
    return new Expression.Call(name, false, List.of(arguments), NOWHERE);
  }

  private Expression condition(int depth) {
    Expression path = path(1);
    return switch (random.nextInt(depth > 0 ? 13 : 7)) {
      case 0, 1 -> new Expression.Compare(operator(), path, literal(), NOWHERE);
      case 2 -> new Expression.Compare(operator(), literal(), path, NOWHERE);
      case 3 -> new Expression.In(path, List.of(literal(), literal()), NOWHERE);
      case 4 -> new Expression.Between(path, literal(), literal(), NOWHERE);
      case 5 ->
          call(
              pick(
                  "IS_DEFINED",
                  "IS_NULL",
                  "IS_BOOL",
                  "IS_NUMBER",
                  "IS_STRING",
                  "IS_ARRAY",
                  "IS_OBJECT"),
              path);
      case 6 ->
          random.nextBoolean()
              ? new Expression.Like(path, text(), null, NOWHERE)
              : call("STARTSWITH", path, text());
      case 7, 8 ->
          new Expression.Logical(
              random.nextBoolean(), List.of(condition(depth - 1), condition(depth - 1)), NOWHERE);
      case 9 -> new Expression.Unary(Expression.Sign.NOT, condition(depth - 1), NOWHERE);
      case 10 -> call("ARRAY_CONTAINS", path, literal());
      case 11 -> new Expression.Subquery(Use.EXISTS, exists(depth - 1), NOWHERE);
      default -> expression(depth - 1);
    };
  }

  /** Returns a condition that holds for some element of an array. */
  private Select exists(int depth) {
    String name = "v" + fresh++;
    Select.From from = new Select.From.Elements(name, path(1), NOWHERE);
    names.add(name);
    Expression where = condition(depth);
    names.removeLast();
    return new Select(
        false,
        null,
        new Select.Projection.Single(new Expression.Literal(Value.of(1), NOWHERE)),
        List.of(from),
        where,
        List.of(),
        List.of(),
        null,
        null,
        NOWHERE);
  }

  private Expression text() {
    return new Expression.Literal(
        Value.of(TEXTS[random.nextInt(TEXTS.length)] + (random.nextBoolean() ? "%" : "")), NOWHERE);
  }

  private <T> T pick(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private Operator operator() {
    return pick(List.of(Operator.values()));
  }

  private Expression literal() {
    return new Expression.Literal(random.nextInt(12) == 0 ? Value.MISSING : value(0), NOWHERE);
  }

  private Expression expression(int depth) {
    if (depth <= 0) {
      return random.nextInt(3) == 0 ? literal() : path(0);
    }
    return switch (random.nextInt(12)) {
      case 0 -> literal();
      case 1, 2 -> path(0);
      case 3 -> condition(depth - 1);
      case 4 ->
          new Expression.Binary(
              pick(List.of(Arithmetic.Operator.values())),
              expression(depth - 1),
              expression(depth - 1),
              NOWHERE);
      case 5 ->
          new Expression.Compare(operator(), expression(depth - 1), expression(depth - 1), NOWHERE);
      case 6 ->
          new Expression.Unary(
              pick(List.of(Expression.Sign.values())), expression(depth - 1), NOWHERE);
      case 7 -> new Expression.Coalesce(expression(depth - 1), expression(depth - 1), NOWHERE);
      case 8 ->
          new Expression.Choice(
              condition(depth - 1), expression(depth - 1), expression(depth - 1), NOWHERE);
      case 9 ->
          new Expression.NewArray(List.of(expression(depth - 1), expression(depth - 1)), NOWHERE);
      case 10 ->
          new Expression.NewObject(
              List.of("p", "q"), List.of(expression(depth - 1), expression(depth - 1)), NOWHERE);
      default -> subquery(select(depth - 1, false));
    };
  }

  private Expression subquery(Select query) {
    Use use = pick(List.of(Use.values()));
    boolean several = use == Use.ONLY && SelectCompiler.hasSeveralRows(query);
    return new Expression.Subquery(several ? Use.FIRST : use, query, NOWHERE);
  }
}
