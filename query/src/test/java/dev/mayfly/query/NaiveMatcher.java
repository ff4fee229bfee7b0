package dev.mayfly.query;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The meaning of filters, written for clarity alone: trees of lists, no cursors, no shortcuts.
 *
 * <p>Where {@link Matcher} and this differ, one of them is wrong.
 */
final class NaiveMatcher {
  /** A value as a tree: names and members of what has members, else nothing but the value. */
  private record Tree(Value value, List<String> names, List<Tree> members) {
    static final Tree MISSING = new Tree(Value.MISSING, List.of(), List.of());

    static Tree of(Value value) {
      List<String> names = new ArrayList<>();
      List<Tree> members = new ArrayList<>();
      if (value.isDocument() || value.isArray()) {
        Fields fields = value.asDocument().fields();
        while (fields.next()) {
          names.add(fields.name());
          members.add(of(fields.value()));
        }
      }
      return new Tree(value, names, members);
    }

    Tree child(String name) {
      int at = names.indexOf(name);
      return at < 0 ? MISSING : members.get(at);
    }

    boolean isArray() {
      return value.isArray();
    }

    boolean isObject() {
      return value.isDocument();
    }
  }

  private final Mode mode;

  NaiveMatcher(Mode mode) {
    this.mode = mode;
  }

  boolean matches(Filter filter, Document document) {
    Tree tree = Tree.of(Value.of(document));
    return switch (mode) {
      case MATCH -> match(filter, tree);
      case SQL -> sql(filter, tree).orElse(false);
    };
  }

  private boolean match(Filter filter, Tree tree) {
    return switch (filter) {
      case Filter.All _ -> true;
      case Filter.None _ -> false;
      case Filter.And(List<Filter> members) -> members.stream().allMatch(m -> match(m, tree));
      case Filter.Or(List<Filter> members) -> members.stream().anyMatch(m -> match(m, tree));
      case Filter.Not(Filter member) -> !match(member, tree);
      case Filter.Geo _ -> throw new AssertionError("places are tested elsewhere");
      case Filter.Compare(FieldPath path, Operator operator, Value value)
          when operator == Operator.NE ->
          fannedOut(path, tree).stream().noneMatch(t -> compares(t, Operator.EQ, value));
      case Filter.Compare(FieldPath path, Operator operator, Value value) ->
          fannedOut(path, tree).stream().anyMatch(t -> compares(t, operator, value));
      case Filter.In(FieldPath path, List<Value> values) ->
          fannedOut(path, tree).stream()
              .anyMatch(t -> values.stream().anyMatch(v -> compares(t, Operator.EQ, v)));
      case Filter.Exists(FieldPath path, boolean present) ->
          whole(path, tree).stream().anyMatch(t -> !t.value().isMissing()) == present;
      case Filter.OfType(FieldPath path, var types) ->
          fannedOut(path, tree).stream().anyMatch(t -> types.contains(t.value().type()));
      case Filter.Prefix(FieldPath path, String prefix) ->
          fannedOut(path, tree).stream().anyMatch(t -> isText(t) && text(t).startsWith(prefix));
      case Filter.Size(FieldPath path, int elements) ->
          whole(path, tree).stream().anyMatch(t -> t.isArray() && t.members().size() == elements);
      case Filter.Regex(FieldPath path, TextPattern pattern) ->
          fannedOut(path, tree).stream().anyMatch(t -> found(t.value(), pattern).orElse(false));
      case Filter.Mod(FieldPath path, long divisor, long remainder) ->
          fannedOut(path, tree).stream()
              .anyMatch(t -> remains(t.value(), divisor, remainder).orElse(false));
      case Filter.Bits(FieldPath path, BitPredicate test, List<Integer> positions) ->
          fannedOut(path, tree).stream()
              .anyMatch(t -> bits(t.value(), test, positions).orElse(false));
      case Filter.Collated _, Filter.Expr _, Filter.Conforms _, Filter.Sampled _ ->
          throw notDrawn(filter);
      case Filter.ElementMatch(FieldPath path, Filter member) -> {
        Predicate<Tree> asked = e -> e.isObject() || e.isArray() || hasEmptyPath(member);
        yield whole(path, tree).stream()
            .filter(Tree::isArray)
            .flatMap(array -> array.members().stream())
            .anyMatch(element -> asked.test(element) && match(member, element));
      }
    };
  }

  /** What the path leads to, and the elements of arrays there unless a place was named last. */
  private static List<Tree> fannedOut(FieldPath path, Tree tree) {
    List<Tree> all = new ArrayList<>();
    collect(path, 0, tree, path.length() > 0, all);
    return all;
  }

  private static List<Tree> whole(FieldPath path, Tree tree) {
    List<Tree> all = new ArrayList<>();
    collect(path, 0, tree, false, all);
    return all;
  }

  private static void collect(
      FieldPath path, int step, Tree tree, boolean fanOut, List<Tree> found) {
    if (step == path.length()) {
      if (fanOut && tree.isArray()) {
        found.addAll(tree.members());
      }
      found.add(tree);
    } else if (step > 0 && tree.isArray()) {
      for (int i = 0; i < tree.members().size(); i++) {
        Tree element = tree.members().get(i);
        if (element.isObject()) {
          collect(path, step, element, fanOut, found);
        }
        if (i == path.index(step) && reachable(path, step + 1, element)) {
          collect(path, step + 1, element, fanOut && step + 1 < path.length(), found);
        }
      }
    } else {
      collect(path, step + 1, tree.child(path.step(step)), fanOut, found);
    }
  }

  /** A place leads on only into what has members. */
  private static boolean reachable(FieldPath path, int step, Tree element) {
    return step == path.length() || element.isObject() || element.isArray();
  }

  private static boolean compares(Tree tree, Operator operator, Value constant) {
    Value value = tree.value();
    if (isNullLike(constant)) {
      boolean allowsEqual =
          operator == Operator.EQ || operator == Operator.LTE || operator == Operator.GTE;
      return isNullLike(value) && allowsEqual;
    }
    boolean end = constant.type() == Type.MIN_KEY || constant.type() == Type.MAX_KEY;
    if (!sameKind(value, constant) && !(end && operator != Operator.EQ)) {
      return false;
    }
    return ordered(Order.MONGO, value, operator, constant);
  }

  private Optional<Boolean> sql(Filter filter, Tree tree) {
    return switch (filter) {
      case Filter.All _ -> Optional.of(true);
      case Filter.None _ -> Optional.of(false);
      case Filter.And(List<Filter> members) ->
          all(members.stream().map(m -> sql(m, tree)).toList());
      case Filter.Or(List<Filter> members) ->
          all(members.stream().map(m -> sql(m, tree).map(b -> !b)).toList()).map(b -> !b);
      case Filter.Not(Filter member) -> sql(member, tree).map(b -> !b);
      case Filter.Geo _ -> throw new AssertionError("places are tested elsewhere");
      case Filter.Compare(FieldPath path, Operator operator, Value value) ->
          sqlCompares(at(path, tree), operator, value);
      case Filter.In(FieldPath path, List<Value> values) -> {
        Value needle = at(path, tree);
        yield isNothing(needle)
            ? Optional.empty()
            : Optional.of(
                values.stream().anyMatch(v -> sqlCompares(needle, Operator.EQ, v).orElse(false)));
      }
      case Filter.Exists(FieldPath path, boolean present) ->
          Optional.of(!isNothing(at(path, tree)) == present);
      case Filter.OfType(FieldPath path, var types) -> {
        Value value = at(path, tree);
        yield Optional.of(!isNothing(value) && types.contains(value.type()));
      }
      case Filter.Prefix(FieldPath path, String prefix) -> {
        Tree found = Tree.of(at(path, tree));
        yield isText(found) ? Optional.of(text(found).startsWith(prefix)) : Optional.empty();
      }
      case Filter.Size(FieldPath path, int elements) -> {
        Tree found = Tree.of(at(path, tree));
        yield found.isArray() ? Optional.of(found.members().size() == elements) : Optional.empty();
      }
      case Filter.Regex(FieldPath path, TextPattern pattern) -> found(at(path, tree), pattern);
      case Filter.Mod(FieldPath path, long divisor, long remainder) ->
          remains(at(path, tree), divisor, remainder);
      case Filter.Bits(FieldPath path, BitPredicate test, List<Integer> positions) ->
          bits(at(path, tree), test, positions);
      case Filter.Collated _, Filter.Expr _, Filter.Conforms _, Filter.Sampled _ ->
          throw notDrawn(filter);
      case Filter.ElementMatch(FieldPath path, Filter member) -> {
        Tree found = Tree.of(at(path, tree));
        yield Optional.of(
            found.isArray()
                && found.members().stream().anyMatch(e -> sql(member, e).orElse(false)));
      }
    };
  }

  private static Optional<Boolean> found(Value value, TextPattern pattern) {
    if (isText(value)) {
      return Optional.of(pattern.found(value.asString()));
    }
    return value.type() == Type.REGEX
        ? Optional.of(value.equals(Value.regex(pattern.pattern(), pattern.options())))
        : Optional.empty();
  }

  private static Optional<Boolean> remains(Value value, long divisor, long remainder) {
    if (!value.isNumber()) {
      return Optional.empty();
    }
    return Optional.of(
        value.isFinite()
            && value.asDecimal().toBigInteger().remainder(BigInteger.valueOf(divisor)).longValue()
                == remainder);
  }

  private static Optional<Boolean> bits(Value value, BitPredicate test, List<Integer> positions) {
    if (!value.isNumber()) {
      return Optional.empty();
    }
    if (!value.isFinite() || value.asDecimal().stripTrailingZeros().scale() > 0) {
      return Optional.of(false);
    }
    BigInteger bits = value.asDecimal().toBigIntegerExact();
    return Optional.of(
        switch (test) {
          case ALL_SET -> positions.stream().allMatch(bits::testBit);
          case ALL_CLEAR -> positions.stream().noneMatch(bits::testBit);
          case ANY_SET -> positions.stream().anyMatch(bits::testBit);
          case ANY_CLEAR -> !positions.stream().allMatch(bits::testBit);
        });
  }

  private static AssertionError notDrawn(Filter filter) {
    return new AssertionError("not among the random filters: " + filter);
  }

  private static Optional<Boolean> all(List<Optional<Boolean>> truths) {
    if (truths.contains(Optional.of(false))) {
      return Optional.of(false);
    }
    return truths.contains(Optional.<Boolean>empty()) ? Optional.empty() : Optional.of(true);
  }

  private static Optional<Boolean> sqlCompares(Value value, Operator operator, Value constant) {
    if (isNothing(value) || isNothing(constant)) {
      return Optional.empty();
    }
    if (operator == Operator.EQ || operator == Operator.NE) {
      boolean equal =
          sameKind(value, constant) && ordered(Order.COSMOS, value, Operator.EQ, constant);
      return Optional.of(equal == (operator == Operator.EQ));
    }
    boolean scalar = !constant.isArray() && !constant.isDocument();
    return sameKind(value, constant) && scalar
        ? Optional.of(ordered(Order.COSMOS, value, operator, constant))
        : Optional.empty();
  }

  private static Value at(FieldPath path, Tree tree) {
    Tree found = tree;
    for (int i = 0; i < path.length(); i++) {
      if (found.isArray()) {
        int place = path.index(i);
        boolean inside = place >= 0 && place < found.members().size();
        found = inside ? found.members().get(place) : Tree.MISSING;
      } else {
        found = found.child(path.step(i));
      }
    }
    return found.value();
  }

  /** NaN equals NaN, and is neither above nor below anything. */
  private static boolean ordered(Order order, Value value, Operator operator, Value constant) {
    int sign = order.compare(value, constant);
    if (value.isNaN() != constant.isNaN() && value.isNumber() && constant.isNumber()) {
      return false;
    }
    return switch (operator) {
      case EQ -> sign == 0;
      case NE -> sign != 0;
      case LT -> sign < 0;
      case LTE -> sign <= 0;
      case GT -> sign > 0;
      case GTE -> sign >= 0;
    };
  }

  private static boolean sameKind(Value a, Value b) {
    return a.type() == b.type() || (a.isNumber() && b.isNumber()) || (isText(a) && isText(b));
  }

  private static boolean isNullLike(Value value) {
    return value.isNull() || isNothing(value);
  }

  private static boolean isNothing(Value value) {
    return value.isMissing() || value.type() == Type.UNDEFINED;
  }

  private static boolean isText(Tree tree) {
    return isText(tree.value());
  }

  private static boolean isText(Value value) {
    return value.type() == Type.STRING || value.type() == Type.SYMBOL;
  }

  private static String text(Tree tree) {
    return tree.value().asString();
  }

  private static boolean hasEmptyPath(Filter filter) {
    return filter.paths().anyMatch(path -> path.length() == 0);
  }
}
