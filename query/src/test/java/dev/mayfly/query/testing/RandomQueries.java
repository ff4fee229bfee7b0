package dev.mayfly.query.testing;

import dev.mayfly.query.BitPredicate;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Operator;
import dev.mayfly.query.TextPattern;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Documents and filters drawn from few names and few values, so that they often meet.
 *
 * <p>Arrays, arrays in arrays, missing fields, nulls and numbers of several types are frequent, as
 * these are where the two languages have their rules.
 */
public final class RandomQueries {
  private static final List<Value> SCALARS =
      List.of(
          Value.NULL,
          Value.of(1),
          Value.of(2),
          Value.of(2L),
          Value.of(2.0),
          Value.of(2.5),
          Value.of(Double.NaN),
          Value.of(-0.0),
          Value.of(""),
          Value.of("a"),
          Value.of("ab"),
          Value.of("b"),
          Value.TRUE,
          Value.FALSE,
          Value.date(1_000),
          Value.date(2_000));
  private static final List<Value> ODDITIES =
      List.of(
          Value.UNDEFINED,
          Value.MIN_KEY,
          Value.MAX_KEY,
          Value.symbol("a"),
          Value.regex("^a", ""),
          Value.of(-1L));

  private static final List<String> PATTERNS = List.of("^a", "^a$", "b", "^$", "", "^ab?");

  private static final List<String> CROWDED = List.of("a", "a.b", "a.b", "a.c", "b");

  private final Random random;
  private final Kind kind;

  /** What is drawn from. */
  private enum Kind {
    BSON,
    JSON,
    CROWDED
  }

  private RandomQueries(Random random, Kind kind) {
    this.random = random;
    this.kind = kind;
  }

  /** With values of every kind. */
  public static RandomQueries bson(Random random) {
    return new RandomQueries(random, Kind.BSON);
  }

  /** With such values only as JSON has. */
  public static RandomQueries json(Random random) {
    return new RandomQueries(random, Kind.JSON);
  }

  /** With small numbers in arrays of objects, on few paths: conditions meet in one array. */
  public static RandomQueries crowded(Random random) {
    return new RandomQueries(random, Kind.CROWDED);
  }

  /** A document of fields a to c, up to three levels deep. */
  public Document document() {
    return kind == Kind.CROWDED ? crowd() : document(3);
  }

  /** A path of one to three steps, seldom with a number among them. */
  public FieldPath path() {
    if (kind == Kind.CROWDED) {
      return FieldPath.of(oneOf(CROWDED));
    }
    List<String> steps = new ArrayList<>();
    int length = 1 + random.nextInt(random.nextInt(3) + 1);
    for (int i = 0; i < length; i++) {
      boolean place = i > 0 && random.nextInt(8) == 0;
      steps.add(place ? String.valueOf(random.nextInt(2)) : name());
    }
    return FieldPath.of(steps);
  }

  /** A filter with up to this many levels of logic. */
  public Filter filter(int levels) {
    return filter(levels, false);
  }

  /** A condition on the path. */
  public Filter leaf(FieldPath path) {
    return switch (random.nextInt(12)) {
      case 0, 1, 2, 3 -> new Filter.Compare(path, operator(), constant());
      case 8 -> new Filter.Regex(path, TextPattern.of(oneOf(PATTERNS), ""));
      case 9 -> new Filter.Mod(path, 1 + random.nextInt(3), random.nextInt(3) - 1);
      case 10 -> new Filter.Bits(path, oneOf(List.of(BitPredicate.values())), List.of(0, 1, 70));
      case 4 -> new Filter.In(path, constants());
      case 5 -> new Filter.Exists(path, random.nextBoolean());
      case 6 -> new Filter.OfType(path, types());
      case 7 -> new Filter.Prefix(path, random.nextBoolean() ? "a" : "");
      default -> new Filter.Size(path, random.nextInt(3));
    };
  }

  /** A value of few, with arrays and objects up to this deep. */
  public Value value(int levels) {
    if (kind == Kind.CROWDED) {
      return Value.of(random.nextInt(4));
    }
    int choice = random.nextInt(10);
    if (levels > 0 && choice < 2) {
      return Value.of(document(levels - 1));
    }
    if (levels > 0 && choice < 5) {
      return array(levels - 1);
    }
    if (kind == Kind.BSON && choice == 9 && random.nextInt(4) == 0) {
      return oneOf(ODDITIES);
    }
    Value scalar = oneOf(SCALARS);
    boolean foreign = scalar.isNaN() || scalar.type() == Type.DATE;
    return kind == Kind.JSON && foreign ? Value.of(3) : scalar;
  }

  /** A few objects in an array, or one without an array, or numbers. */
  private Document crowd() {
    Value a =
        switch (random.nextInt(4)) {
          case 0 -> Value.of(object());
          case 1 -> array(0);
          default -> Value.array(List.of(Value.of(object()), Value.of(object())));
        };
    return Document.writer().put("a", a).put("b", value(0)).build();
  }

  private Document object() {
    DocumentWriter writer =
        Document.writer().put("b", random.nextInt(3) == 0 ? array(0) : value(0));
    return random.nextInt(3) > 0 ? writer.put("c", value(0)).build() : writer.build();
  }

  private Document document(int levels) {
    DocumentWriter writer = Document.writer();
    for (String name : List.of("a", "b", "c")) {
      if (random.nextInt(3) > 0) {
        writer.put(name, value(levels));
      }
    }
    return random.nextInt(12) == 0 ? writer.put("0", value(0)).build() : writer.build();
  }

  private Value array(int levels) {
    List<Value> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(value(levels));
    }
    return Value.array(elements);
  }

  private Filter filter(int levels, boolean element) {
    int choice = random.nextInt(levels > 0 ? 9 : 5);
    FieldPath path = element && random.nextBoolean() ? FieldPath.of(List.of()) : path();
    return switch (choice) {
      case 5 -> new Filter.And(members(levels - 1, element));
      case 6 -> new Filter.Or(members(levels - 1, element));
      case 7 -> new Filter.Not(filter(levels - 1, element));
      case 8 -> new Filter.ElementMatch(path, filter(levels - 1, true));
      default -> leaf(path);
    };
  }

  private List<Filter> members(int levels, boolean element) {
    List<Filter> members = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      members.add(filter(levels, element));
    }
    return members;
  }

  private Operator operator() {
    return oneOf(List.of(Operator.values()));
  }

  private Value constant() {
    return random.nextInt(20) == 0 ? Value.MISSING : value(random.nextInt(3));
  }

  private List<Value> constants() {
    List<Value> values = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      values.add(value(random.nextInt(2)));
    }
    return values;
  }

  private Set<Type> types() {
    List<Set<Type>> sets =
        List.of(
            EnumSet.of(Type.INT32),
            EnumSet.of(Type.INT32, Type.INT64, Type.DOUBLE, Type.DECIMAL128),
            EnumSet.of(Type.STRING),
            EnumSet.of(Type.STRING, Type.SYMBOL),
            EnumSet.of(Type.NULL),
            EnumSet.of(Type.UNDEFINED),
            EnumSet.of(Type.ARRAY),
            EnumSet.of(Type.OBJECT, Type.BOOLEAN));
    return oneOf(sets);
  }

  private String name() {
    return oneOf(List.of("a", "a", "b", "c"));
  }

  private <T> T oneOf(List<T> choices) {
    return choices.get(random.nextInt(choices.size()));
  }
}
