package dev.mayfly.query;

import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Compiled filter, to be evaluated on many documents.
 *
 * <p>Works on the bytes of a document and, for comparisons of scalars, allocates nothing per
 * document. Keeps cursors: one matcher belongs to one thread at a time.
 */
public final class Matcher {
  private static final Condition NEVER = new Condition.Constant(Ternary.FALSE);

  private final Condition root;
  private final MatchedPosition place;

  private Matcher(Condition root, MatchedPosition place) {
    this.root = root;
    this.place = place;
  }

  /** Compiles a filter for this mode. */
  public static Matcher of(Filter filter, Mode mode) {
    MatchedPosition place = new MatchedPosition();
    return new Matcher(new Compiler(mode, place, new StepCounter()).condition(filter), place);
  }

  /** Returns whether the document matches; undefined does not match. */
  public boolean matches(Document document) {
    place.set(MatchedPosition.NONE);
    return root.test(Type.OBJECT, document.buffer(), document.offset()) == Ternary.TRUE;
  }

  /** Returns whether the value matches a filter whose empty paths refer to the value itself. */
  public boolean matches(Value value) {
    place.set(MatchedPosition.NONE);
    return root.test(value.type(), value.buffer(), value.offset()) == Ternary.TRUE;
  }

  /**
   * Returns the index of the array element that matched in the last call, or -1 if no array was
   * involved. Of several conditions the last one counts, of nested arrays the outermost.
   */
  public int place() {
    return place.index();
  }

  /** Compiles filters to conditions that share one matched position. */
  private record Compiler(Mode mode, MatchedPosition place, StepCounter stepCounter) {
    Condition condition(Filter filter) {
      stepCounter.step();
      return switch (filter) {
        case Filter.All _ -> new Condition.Constant(Ternary.TRUE);
        case Filter.None _ -> NEVER;
        case Filter.And(List<Filter> members) ->
            new Condition.Every(conditions(members), stepCounter);
        case Filter.Or(List<Filter> members) ->
            new Condition.Some(conditions(Alternatives.merged(members)), stepCounter);
        case Filter.Not(Filter member) -> not(condition(member));
        case Filter.Compare compare -> compared(compare, Collation.SIMPLE);
        case Filter.In in -> among(in, Collation.SIMPLE);
        case Filter.Collated(Collation collation, Filter leaf) -> collated(leaf, collation);
        case Filter.Exists(FieldPath path, boolean present) -> {
          Condition exists = atWhole(path, new Condition.Present());
          yield present ? exists : not(exists);
        }
        case Filter.OfType(FieldPath path, Set<Type> types) ->
            at(path, new Condition.Typed(copy(types)));
        case Filter.Prefix(FieldPath path, String prefix) ->
            at(
                path,
                new Condition.StartsWith(prefix.getBytes(StandardCharsets.UTF_8), otherwise()));
        case Filter.Regex(FieldPath path, TextPattern pattern) ->
            at(path, new Condition.Searched(pattern, itself(pattern), otherwise()));
        case Filter.Mod(FieldPath path, long divisor, long remainder) ->
            at(path, new Condition.Remains(divisor, remainder, otherwise()));
        case Filter.Bits(FieldPath path, BitPredicate test, List<Integer> positions) ->
            at(path, new Condition.BitsAre(test, positions, otherwise()));
        case Filter.Size(FieldPath path, int elements) ->
            atWhole(path, new Condition.Sized(elements, otherwise()));
        case Filter.ElementMatch(FieldPath path, Filter member) ->
            atWhole(path, anyElement(member));
        case Filter.Geo(FieldPath path, Region region) ->
            at(path, new Condition.Lies(region, otherwise()));
        case Filter.Expr(DocumentPredicate test) -> new Condition.Computed(test.predicate());
        case Filter.Conforms(Schema schema) ->
            new Condition.Computed(document -> schema.conforms(Value.of(document)));
        case Filter.Sampled(double share) ->
            new Condition.Computed(_ -> ThreadLocalRandom.current().nextDouble() < share);
      };
    }

    private List<Condition> conditions(List<Filter> members) {
      return members.stream().map(this::condition).toList();
    }

    private Condition not(Condition member) {
      return new Condition.Opposite(member, place);
    }

    private Condition collated(Filter leaf, Collation collation) {
      return switch (leaf) {
        case Filter.Compare compare -> compared(compare, collation);
        case Filter.In in -> among(in, collation);
        case Filter other -> condition(other);
      };
    }

    private Condition compared(Filter.Compare compare, Collation collation) {
      boolean unequal = compare.operator() == Operator.NE;
      Operator operator = unequal ? Operator.EQ : compare.operator();
      Condition member = comparison(operator, collation.fold(compare.value()), mode);
      Condition condition = at(compare.path(), folding(member, collation));
      return unequal ? not(condition) : condition;
    }

    private Condition among(Filter.In in, Collation collation) {
      List<Value> values =
          collation.simple() ? in.values() : in.values().stream().map(collation::fold).toList();
      return at(
          in.path(), folding(membership(ConstantList.of(values), mode, stepCounter), collation));
    }

    /** Tests the values at the path; in MATCH also the elements of an array there. */
    private Condition at(FieldPath path, Condition member) {
      return switch (mode) {
        case MATCH -> new Condition.AnyAtPath(path, member, true, place, stepCounter);
        case SQL -> new Condition.AtPath(path, member);
      };
    }

    /** Tests the values at the path, arrays as a whole. */
    private Condition atWhole(FieldPath path, Condition member) {
      return switch (mode) {
        case MATCH -> new Condition.AnyAtPath(path, member, false, place, stepCounter);
        case SQL -> new Condition.AtPath(path, member);
      };
    }

    private Condition anyElement(Filter member) {
      boolean scalars = mode == Mode.SQL || speaksOfElements(member);
      return new Condition.AnyElement(condition(member), scalars, place, stepCounter);
    }

    private Ternary otherwise() {
      return mode == Mode.SQL ? Ternary.UNDEFINED : Ternary.FALSE;
    }
  }

  private static Condition folding(Condition member, Collation collation) {
    return collation.simple() ? member : new Condition.Folding(collation, member);
  }

  static Value itself(TextPattern pattern) {
    return Value.regex(pattern.pattern(), pattern.options());
  }

  private static Condition comparison(Operator operator, Value value, Mode mode) {
    Operand operand = new Operand(value, mode.order());
    return switch (mode) {
      case MATCH -> matchComparison(operator, operand);
      case SQL -> sqlComparison(operator, operand);
    };
  }

  private static Condition matchComparison(Operator operator, Operand operand) {
    return switch (operand.type()) {
      case NULL, MISSING, UNDEFINED -> operator.holds(0) ? new Condition.NullLike() : NEVER;
      case MIN_KEY, MAX_KEY -> new Condition.Ends(operator, operand.type());
      default -> new Condition.Bracketed(operator, operand);
    };
  }

  private static Condition sqlComparison(Operator operator, Operand operand) {
    boolean comparable =
        switch (operand.type()) {
          case MISSING, UNDEFINED -> false;
          case OBJECT, ARRAY -> !operator.ordering();
          default -> true;
        };
    if (!comparable) {
      return new Condition.Constant(Ternary.UNDEFINED);
    }
    return operator.ordering()
        ? new Condition.Ordered(operator, operand)
        : new Condition.Equal(operand);
  }

  /** An undefined constant equals nothing; it does not make the whole membership undefined. */
  private static Condition membership(ConstantList values, Mode mode, StepCounter stepCounter) {
    Value[] sorted = values.sorted(mode.order());
    Value[] present =
        Arrays.stream(sorted).filter(value -> !isNothing(value)).toArray(Value[]::new);
    Condition among = new Condition.Among(present, mode.order());
    if (mode == Mode.SQL) {
      return new Condition.IfPresent(among);
    }
    boolean orNull = values.stream().anyMatch(value -> value.isNull() || isNothing(value));
    return orNull
        ? new Condition.Some(List.of(new Condition.NullLike(), among), stepCounter)
        : among;
  }

  private static boolean isNothing(Value value) {
    return value.isMissing() || value.type() == Type.UNDEFINED;
  }

  /** Returns whether a leaf of the filter has the empty path. */
  private static boolean speaksOfElements(Filter filter) {
    return filter.paths().anyMatch(path -> path.length() == 0);
  }

  private static Set<Type> copy(Set<Type> types) {
    EnumSet<Type> set = EnumSet.noneOf(Type.class);
    set.addAll(types);
    return set;
  }
}
