package dev.mayfly.query;

import dev.mayfly.query.geo.Region;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A condition on one document, as a tree of a closed set of nodes.
 *
 * <p>The tree says what is asked; {@link Mode} says in which language. A leaf names a path; inside
 * {@link ElementMatch} paths start at the element, and the empty path is the element itself.
 * Immutable; two filters are equal when their trees are.
 */
public sealed interface Filter {
  /** Passes everything. */
  record All() implements Filter {}

  /** Passes nothing. */
  record None() implements Filter {}

  /** Passes what all members pass; everything when there are none. */
  record And(List<Filter> members) implements Filter {
    public And {
      members = List.copyOf(members);
    }
  }

  /** Passes what any member passes; nothing when there are none. */
  record Or(List<Filter> members) implements Filter {
    public Or {
      members = List.copyOf(members);
    }
  }

  /** Passes what the member refuses; in {@link Mode#SQL} undefined stays undefined. */
  record Not(Filter member) implements Filter {}

  /**
   * The value at the path compares so with the constant.
   *
   * <p>In {@link Mode#MATCH} a constant that is missing or BSON's undefined means null, and NE is
   * the negation of EQ: it fails as soon as one element is equal. In {@link Mode#SQL} such a
   * constant is undefined and so is every comparison with it.
   */
  record Compare(FieldPath path, Operator operator, Value value) implements Filter {}

  /** The value at the path equals one of the constants. */
  record In(FieldPath path, List<Value> values) implements Filter {
    public In {
      values = ConstantList.of(values);
    }
  }

  /** There is a value at the path, or there is none; null is a value. */
  record Exists(FieldPath path, boolean present) implements Filter {}

  /** The value at the path is of one of the types, which cannot include {@link Type#MISSING}. */
  record OfType(FieldPath path, Set<Type> types) implements Filter {
    public OfType {
      types = Set.copyOf(types);
      if (types.contains(Type.MISSING)) {
        throw new QueryException(
            QueryException.Reason.BAD_FILTER, "missing is not a type to ask for", path.toString());
      }
    }
  }

  /** The value at the path is a string that starts with the prefix. */
  record Prefix(FieldPath path, String prefix) implements Filter {}

  /** The value at the path is a text in which the pattern is found, or is that very pattern. */
  record Regex(FieldPath path, TextPattern pattern) implements Filter {}

  /** The value at the path is a number that, cut to an integer and divided, leaves so much. */
  record Mod(FieldPath path, long divisor, long remainder) implements Filter {
    public Mod {
      if (divisor == 0) {
        throw new QueryException(
            QueryException.Reason.BAD_FILTER, "nothing is divided by zero", path.toString());
      }
    }
  }

  /**
   * The value at the path is an integer or a binary with these bits so.
   *
   * <p>Bits are counted from the lowest of the first byte. Those beyond an integer's are as its
   * sign, those beyond a binary's end are clear.
   */
  record Bits(FieldPath path, BitPredicate test, List<Integer> positions) implements Filter {
    public Bits {
      positions = List.copyOf(positions);
    }
  }

  /** The value at the path is an array of exactly so many elements. */
  record Size(FieldPath path, int elements) implements Filter {}

  /**
   * The value at the path is an array of which one element passes the member.
   *
   * <p>A member that nowhere uses the empty path speaks of the fields of elements: in {@link
   * Mode#MATCH} it is then asked only about elements that are objects or arrays.
   */
  record ElementMatch(FieldPath path, Filter member) implements Filter {}

  /** The value at the path tells a place that is as the region asks. */
  record Geo(FieldPath path, Region region) implements Filter {}

  /** The document passes a test that is computed from it as a whole. */
  record Expr(DocumentPredicate test) implements Filter {}

  /** The document conforms to a schema. */
  record Conforms(Schema schema) implements Filter {}

  /** Passes a random share of all documents. */
  record Sampled(double share) implements Filter {}

  /**
   * A {@link Compare} or {@link In} whose texts compare by the rules of a collation.
   *
   * <p>Only leaves carry a collation, and only those whose constants hold texts: other leaves mean
   * the same under each.
   */
  record Collated(Collation collation, Filter leaf) implements Filter {
    public Collated {
      if (!(leaf instanceof Compare) && !(leaf instanceof In)) {
        throw new QueryException(
            QueryException.Reason.BAD_FILTER, "not what a collation is for", leaf.toString());
      }
    }
  }

  /** The filter that every document passes. */
  static Filter all() {
    return new All();
  }

  /** The filter that no document passes. */
  static Filter none() {
    return new None();
  }

  /** The conjunction of these filters, without needless nodes. */
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

  /** The value at the path equals the constant. */
  static Filter equal(FieldPath path, Value value) {
    return new Compare(path, Operator.EQ, value);
  }

  /** The comparison under a collation; the leaf itself where the collation makes no difference. */
  static Filter collated(Collation collation, Filter leaf) {
    boolean matters =
        switch (leaf) {
          case Compare(_, _, Value value) -> Collation.holdsText(value);
          case In(_, List<Value> values) -> values.stream().anyMatch(Collation::holdsText);
          case Filter _ -> false;
        };
    return matters && !collation.simple() ? new Collated(collation, leaf) : leaf;
  }

  /** The filters that all have to pass for this one to pass; none when this is {@link All}. */
  default List<Filter> conjuncts() {
    return switch (this) {
      case All _ -> List.of();
      case And(List<Filter> members) ->
          members.stream().flatMap(member -> member.conjuncts().stream()).toList();
      case Filter other -> List.of(other);
    };
  }

  /** The paths that the leaves name; those inside an element start at it and are not among them. */
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

  /** This filter made ready to be asked about many documents, by one thread. */
  default Matcher matcher(Mode mode) {
    return Matcher.of(this, mode);
  }

  /**
   * A form that can be stored; {@link #of} reads it back, in this and every later version.
   *
   * @throws QueryException BAD_FILTER when a part is computed, sampled or a schema: whoever stores
   *     such a filter stores the syntax that it came from
   */
  default Document toDocument() {
    return FilterForm.write(this);
  }

  /**
   * The filter that a stored form means.
   *
   * @throws QueryException BAD_FILTER when the document is not such a form
   */
  static Filter of(Document form) {
    return FilterForm.read(form);
  }
}
