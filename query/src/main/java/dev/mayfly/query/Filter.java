package dev.mayfly.query;

import dev.mayfly.query.geo.Region;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Filter of documents: a tree of a closed set of nodes.
 *
 * <p>{@link Mode} decides the semantics of a query language. A leaf names a path; inside {@link
 * ElementMatch} paths start at the element, and the empty path is the element itself. Immutable;
 * filters are equal if their trees are.
 */
public sealed interface Filter {
  /** Matches everything. */
  record All() implements Filter {}

  /** Matches nothing. */
  record None() implements Filter {}

  /** Matches if all members do; everything without members. */
  record And(List<Filter> members) implements Filter {
    public And {
      members = List.copyOf(members);
    }
  }

  /** Matches if any member does; nothing without members. */
  record Or(List<Filter> members) implements Filter {
    public Or {
      members = List.copyOf(members);
    }
  }

  /** Matches if the member does not; in {@link Mode#SQL} undefined stays undefined. */
  record Not(Filter member) implements Filter {}

  /**
   * Compares the value at the path with a constant.
   *
   * <p>In {@link Mode#MATCH} a constant that is missing or BSON's undefined means null, and NE is
   * the negation of EQ: it fails if one element is equal. In {@link Mode#SQL} such a constant is
   * undefined and so is every comparison with it.
   */
  record Compare(FieldPath path, Operator operator, Value value) implements Filter {}

  /** The value at the path equals one of the constants. */
  record In(FieldPath path, List<Value> values) implements Filter {
    public In {
      values = ConstantList.of(values);
    }
  }

  /** The value at the path exists, or does not; null exists. */
  record Exists(FieldPath path, boolean present) implements Filter {}

  /** The value at the path is of one of the types, which cannot include {@link Type#MISSING}. */
  record OfType(FieldPath path, Set<Type> types) implements Filter {
    public OfType {
      types = Set.copyOf(types);
      if (types.contains(Type.MISSING)) {
        throw new QueryException(
            QueryException.Reason.BAD_FILTER, "missing is not a type", path.toString());
      }
    }
  }

  /** The value at the path is a string that starts with the prefix. */
  record Prefix(FieldPath path, String prefix) implements Filter {}

  /**
   * The value at the path is a string that matches the pattern, or is the same regular expression.
   */
  record Regex(FieldPath path, TextPattern pattern) implements Filter {}

  /** The value at the path is a number that, truncated to an integer, has this remainder. */
  record Mod(FieldPath path, long divisor, long remainder) implements Filter {
    public Mod {
      if (divisor == 0) {
        throw new QueryException(
            QueryException.Reason.BAD_FILTER, "nothing is divided by zero", path.toString());
      }
    }
  }

  /**
   * The value at the path is an integer or a binary whose bits match.
   *
   * <p>Bits are counted from the lowest of the first byte. Bits beyond an integer equal its sign,
   * those beyond a binary are clear.
   */
  record Bits(FieldPath path, BitPredicate test, List<Integer> positions) implements Filter {
    public Bits {
      positions = List.copyOf(positions);
    }
  }

  /** The value at the path is an array of exactly this size. */
  record Size(FieldPath path, int elements) implements Filter {}

  /**
   * The value at the path is an array with an element that matches the member.
   *
   * <p>A member without the empty path refers to the fields of elements: in {@link Mode#MATCH} it
   * is then tested only on elements that are objects or arrays.
   */
  record ElementMatch(FieldPath path, Filter member) implements Filter {}

  /** The value at the path is a location that the region accepts. */
  record Geo(FieldPath path, Region region) implements Filter {}

  /** The document matches a computed predicate. */
  record Expr(DocumentPredicate test) implements Filter {}

  /** The document conforms to a schema. */
  record Conforms(Schema schema) implements Filter {}

  /** Matches a random share of all documents. */
  record Sampled(double share) implements Filter {}

  /**
   * A {@link Compare} or {@link In} whose strings compare by a collation.
   *
   * <p>Only leaves have a collation, and only those whose constants contain strings: for other
   * leaves it makes no difference.
   */
  record Collated(Collation collation, Filter leaf) implements Filter {
    public Collated {
      if (!(leaf instanceof Compare) && !(leaf instanceof In)) {
        throw new QueryException(
            QueryException.Reason.BAD_FILTER, "not what a collation is for", leaf.toString());
      }
    }
  }

  /** Returns the filter that matches every document. */
  static Filter all() {
    return new All();
  }

  /** Returns the filter that matches no document. */
  static Filter none() {
    return new None();
  }

  /** Returns the conjunction of these filters, simplified. */
  static Filter and(List<Filter> members) {
    Interrupt.steps(members.size());
    List<Filter> needed =
        members.stream().flatMap(member -> member.conjuncts().stream()).distinct().toList();
    return switch (needed.size()) {
      case 0 -> all();
      case 1 -> needed.getFirst();
      default -> new And(needed);
    };
  }

  /** Returns an equality filter. */
  static Filter equal(FieldPath path, Value value) {
    return new Compare(path, Operator.EQ, value);
  }

  /**
   * Returns the comparison with a collation; the leaf itself if the collation makes no difference.
   */
  static Filter collated(Collation collation, Filter leaf) {
    boolean matters =
        switch (leaf) {
          case Compare(_, _, Value value) -> Collation.holdsText(value);
          case In(_, List<Value> values) -> values.stream().anyMatch(Collation::holdsText);
          case Filter _ -> false;
        };
    return matters && !collation.simple() ? new Collated(collation, leaf) : leaf;
  }

  /** Returns the filters that must all match for this one to match; empty for {@link All}. */
  default List<Filter> conjuncts() {
    return switch (this) {
      case All _ -> List.of();
      case And(List<Filter> members) ->
          members.stream().flatMap(member -> member.conjuncts().stream()).toList();
      case Filter other -> List.of(other);
    };
  }

  /** Returns the paths of the leaves, without those inside {@link ElementMatch}. */
  default Stream<FieldPath> paths() {
    return switch (this) {
      case All _, None _, Expr _, Conforms _, Sampled _ -> Stream.of();
      case And(List<Filter> members) -> members.stream().flatMap(Filter::paths);
      case Or(List<Filter> members) -> members.stream().flatMap(Filter::paths);
      case Not(Filter member) -> member.paths();
      case Collated(_, Filter leaf) -> leaf.paths();
      case Compare(FieldPath path, _, _) -> Stream.of(path);
      case In(FieldPath path, _) -> Stream.of(path);
      case Exists(FieldPath path, _) -> Stream.of(path);
      case OfType(FieldPath path, _) -> Stream.of(path);
      case Prefix(FieldPath path, _) -> Stream.of(path);
      case Regex(FieldPath path, _) -> Stream.of(path);
      case Mod(FieldPath path, _, _) -> Stream.of(path);
      case Bits(FieldPath path, _, _) -> Stream.of(path);
      case Size(FieldPath path, _) -> Stream.of(path);
      case ElementMatch(FieldPath path, _) -> Stream.of(path);
      case Geo(FieldPath path, _) -> Stream.of(path);
    };
  }

  /** Compiles this filter; the matcher is for one thread. */
  default Matcher matcher(Mode mode) {
    return Matcher.of(this, mode);
  }

  /**
   * Returns a form that can be stored; {@link #of} reads it back, in this and every later version.
   *
   * @throws QueryException BAD_FILTER if a part is computed, sampled or a schema: store the
   *     original syntax of such a filter
   */
  default Document toDocument() {
    return FilterForm.write(this);
  }

  /**
   * Parses a stored form.
   *
   * @throws QueryException BAD_FILTER if the document is not a stored form
   */
  static Filter of(Document form) {
    return FilterForm.read(form);
  }
}
