package dev.mayfly.query;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * A filter made ready to be asked about many documents.
 *
 * <p>Works on the bytes of a document and, scalars being compared, allocates nothing per document.
 * Keeps cursors of its own: one matcher belongs to one thread at a time.
 */
public final class Matcher {
  private static final Condition NEVER = new Condition.Constant(Truth.FALSE);

  private final Condition root;

  private Matcher(Condition root) {
    this.root = root;
  }

  /** The filter as this mode reads it. */
  public static Matcher of(Filter filter, Mode mode) {
    return new Matcher(condition(filter, mode));
  }

  /** True when the document passes the filter; undefined is not enough. */
  public boolean matches(Document document) {
    return root.test(Type.OBJECT, document.buffer(), document.offset()) == Truth.TRUE;
  }

  private static Condition condition(Filter filter, Mode mode) {
    return switch (filter) {
      case Filter.All _ -> new Condition.Constant(Truth.TRUE);
      case Filter.None _ -> NEVER;
      case Filter.And(List<Filter> members) -> new Condition.Every(conditions(members, mode));
      case Filter.Or(List<Filter> members) -> new Condition.Some(conditions(members, mode));
      case Filter.Not(Filter member) -> new Condition.Opposite(condition(member, mode));
      case Filter.Compare(FieldPath path, Operator operator, Value value)
          when operator == Operator.NE ->
          new Condition.Opposite(condition(new Filter.Compare(path, Operator.EQ, value), mode));
      case Filter.Compare(FieldPath path, Operator operator, Value value) ->
          at(path, comparison(operator, value, mode), mode);
      case Filter.In(FieldPath path, List<Value> values) ->
          at(path, membership(values, mode), mode);
      case Filter.Exists(FieldPath path, boolean present) -> {
        Condition exists = atWhole(path, new Condition.Present(), mode);
        yield present ? exists : new Condition.Opposite(exists);
      }
      case Filter.OfType(FieldPath path, Set<Type> types) ->
          at(path, new Condition.Typed(types(types)), mode);
      case Filter.Prefix(FieldPath path, String prefix) ->
          at(
              path,
              new Condition.StartsWith(prefix.getBytes(StandardCharsets.UTF_8), otherwise(mode)),
              mode);
      case Filter.Size(FieldPath path, int elements) ->
          atWhole(path, new Condition.Sized(elements, otherwise(mode)), mode);
      case Filter.ElementMatch(FieldPath path, Filter member) ->
          atWhole(path, anyElement(member, mode), mode);
    };
  }

  private static List<Condition> conditions(List<Filter> members, Mode mode) {
    return members.stream().map(member -> condition(member, mode)).toList();
  }

  /** Asks about what the path leads to; in MATCH about the elements of an array there, too. */
  private static Condition at(FieldPath path, Condition member, Mode mode) {
    return switch (mode) {
      case MATCH -> new Condition.AnyAtPath(path, member, true);
      case SQL -> new Condition.AtPath(path, member);
    };
  }

  /** Asks about what the path leads to, arrays as a whole. */
  private static Condition atWhole(FieldPath path, Condition member, Mode mode) {
    return switch (mode) {
      case MATCH -> new Condition.AnyAtPath(path, member, false);
      case SQL -> new Condition.AtPath(path, member);
    };
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
      return new Condition.Constant(Truth.UNDEFINED);
    }
    return operator.ordering()
        ? new Condition.Ordered(operator, operand)
        : new Condition.Equal(operand);
  }

  /** An undefined constant equals nothing; it does not make the whole membership undefined. */
  private static Condition membership(List<Value> values, Mode mode) {
    Condition member =
        new Condition.Some(
            values.stream()
                .filter(value -> mode == Mode.MATCH || !isNothing(value))
                .map(value -> comparison(Operator.EQ, value, mode))
                .toList());
    return mode == Mode.MATCH ? member : new Condition.IfPresent(member);
  }

  private static boolean isNothing(Value value) {
    return value.isMissing() || value.type() == Type.UNDEFINED;
  }

  private static Condition anyElement(Filter member, Mode mode) {
    boolean scalars = mode == Mode.SQL || speaksOfElements(member);
    return new Condition.AnyElement(condition(member, mode), scalars);
  }

  /** True when some leaf of the filter has the empty path. */
  private static boolean speaksOfElements(Filter filter) {
    return switch (filter) {
      case Filter.All _, Filter.None _ -> false;
      case Filter.And(List<Filter> members) -> members.stream().anyMatch(Matcher::speaksOfElements);
      case Filter.Or(List<Filter> members) -> members.stream().anyMatch(Matcher::speaksOfElements);
      case Filter.Not(Filter member) -> speaksOfElements(member);
      case Filter.Compare(FieldPath path, _, _) -> path.length() == 0;
      case Filter.In(FieldPath path, _) -> path.length() == 0;
      case Filter.Exists(FieldPath path, _) -> path.length() == 0;
      case Filter.OfType(FieldPath path, _) -> path.length() == 0;
      case Filter.Prefix(FieldPath path, _) -> path.length() == 0;
      case Filter.Size(FieldPath path, _) -> path.length() == 0;
      case Filter.ElementMatch(FieldPath path, _) -> path.length() == 0;
    };
  }

  private static Truth otherwise(Mode mode) {
    return mode == Mode.SQL ? Truth.UNDEFINED : Truth.FALSE;
  }

  private static Set<Type> types(Set<Type> types) {
    EnumSet<Type> set = EnumSet.noneOf(Type.class);
    set.addAll(types);
    return set;
  }
}
