package dev.mayfly.query;

import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

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
      values = List.copyOf(values);
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

  /** The value at the path is an array of exactly so many elements. */
  record Size(FieldPath path, int elements) implements Filter {}

  /**
   * The value at the path is an array of which one element passes the member.
   *
   * <p>A member that nowhere uses the empty path speaks of the fields of elements: in {@link
   * Mode#MATCH} it is then asked only about elements that are objects or arrays.
   */
  record ElementMatch(FieldPath path, Filter member) implements Filter {}

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

  /** The filters that all have to pass for this one to pass; none when this is {@link All}. */
  default List<Filter> conjuncts() {
    return switch (this) {
      case All _ -> List.of();
      case And(List<Filter> members) ->
          members.stream().flatMap(member -> member.conjuncts().stream()).toList();
      case Filter other -> List.of(other);
    };
  }

  /** This filter made ready to be asked about many documents, by one thread. */
  default Matcher matcher(Mode mode) {
    return Matcher.of(this, mode);
  }

  /** A form that can be stored; {@link #of} reads it back, in this and every later version. */
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
