package dev.mayfly.engine.index;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Index definition. Immutable.
 *
 * @param parts the parts of its keys, in order; at most one is a wildcard. With spherical parts, a
 *     document without a geometry at any of them has no key
 * @param unique whether no two documents may have the same key
 * @param guarded ({@code prepareUnique}) whether a write must not give a document a key of another
 *     one; existing duplicates stay
 * @param sparse whether a document without a value at any of the parts has no key
 * @param hidden whether queries do not use it
 * @param partial the filter of documents that have keys; {@link Filter.All} for all of them
 * @param order the order of types in keys
 * @param scopes which paths a wildcard contains, most precise first; empty for all
 * @param collation the collation of strings in keys
 */
public record IndexSpec(
    String name,
    List<Part> parts,
    boolean unique,
    boolean guarded,
    boolean sparse,
    boolean hidden,
    Filter partial,
    Traversal traversal,
    Order order,
    List<Scope> scopes,
    Collation collation) {
  /**
   * Path of the virtual field with the second of the last write, {@code _ts} in Cosmos DB. It is
   * not stored; an explicit index with such a part contains it.
   */
  public static final FieldPath WRITTEN = FieldPath.of("_ts");

  /** Maximum number of parts, as in MongoDB. */
  public static final int MAX_PARTS = 32;

  /**
   * Checks the definition.
   *
   * @throws IndexException BAD_SPEC
   */
  public IndexSpec {
    parts = List.copyOf(parts);
    scopes = scopes.stream().sorted(Comparator.comparingInt(Scope::precision).reversed()).toList();
    check(!name.isEmpty(), "an index needs a name", name);
    check(!parts.isEmpty() && parts.size() <= MAX_PARTS, "an index has 1 to 32 parts", name);
    checkPaths(name, parts);
    boolean wildcard = parts.stream().anyMatch(Part::manyPaths);
    check(!(wildcard && (unique || guarded)), "a wildcard index cannot be unique", name);
    check(!(wildcard && derived(parts)), "a wildcard index cannot have spherical parts", name);
    check(wildcard || scopes.isEmpty(), "only a wildcard index has scopes", name);
    check(!sparse || partial.equals(Filter.all()), "an index is either sparse or partial", name);
  }

  /** Returns a MongoDB index without options. */
  public static IndexSpec implicit(String name, Part... parts) {
    return new IndexSpec(
        name,
        List.of(parts),
        false,
        false,
        false,
        false,
        Filter.all(),
        Traversal.IMPLICIT,
        Order.MONGO,
        List.of(),
        Collation.SIMPLE);
  }

  /** Returns a Cosmos DB index without options. */
  public static IndexSpec explicit(String name, Part... parts) {
    return new IndexSpec(
        name,
        List.of(parts),
        false,
        false,
        false,
        false,
        Filter.all(),
        Traversal.EXPLICIT,
        Order.COSMOS,
        List.of(),
        Collation.SIMPLE);
  }

  /** Returns the same index, unique or not. */
  public IndexSpec withUnique(boolean unique) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns the same index, guarded or not. */
  public IndexSpec withGuarded(boolean guarded) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns the same index, sparse or not. */
  public IndexSpec withSparse(boolean sparse) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns the same index, hidden or not. */
  public IndexSpec withHidden(boolean hidden) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns the same index with a partial filter. */
  public IndexSpec withPartial(Filter partial) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns the same wildcard index with scopes. */
  public IndexSpec withScopes(Scope... scopes) {
    return new IndexSpec(
        name,
        parts,
        unique,
        guarded,
        sparse,
        hidden,
        partial,
        traversal,
        order,
        List.of(scopes),
        collation);
  }

  /** Returns the same index with a collation. */
  public IndexSpec withCollation(Collation collation) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns the same index with an order of types. */
  public IndexSpec withOrder(Order order) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** Returns a wildcard index restricted to the paths below a path. */
  IndexSpec below(FieldPath path) {
    Part wildcard = parts.getFirst();
    return explicit(name, new Part(path, wildcard.descending(), wildcard.kind()))
        .withOrder(order)
        .withScopes(scopes.toArray(Scope[]::new));
  }

  /**
   * Decodes the stored form.
   *
   * @throws IndexException BAD_SPEC if the document is not a stored form
   */
  public static IndexSpec of(Document form) {
    return SpecForm.read(form);
  }

  /** Returns the stored form; {@link #of} decodes it, in this and every later version. */
  public Document toDocument() {
    return SpecForm.write(this);
  }

  /**
   * Returns whether a missing value is stored as null.
   *
   * <p>For unique indexes and for MongoDB's sort order, missing and null are equal. An index of
   * several parts could not give this order if missing sorted before null. An index with one part
   * distinguishes the two, so that {@code $exists} is a range.
   */
  public boolean foldsMissing() {
    return unique || (traversal == Traversal.IMPLICIT && parts.size() > 1);
  }

  /** Returns whether its keys contain the time of the last write. */
  public boolean hasWriteTime() {
    if (traversal == Traversal.EXPLICIT) {
      for (Part part : parts) {
        if (!part.manyPaths() && part.path().equals(WRITTEN)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns whether components of a part are {@linkplain IndexKind#derived derived}. */
  boolean derived() {
    return derived(parts);
  }

  private static boolean derived(List<Part> parts) {
    for (Part part : parts) {
      if (part.derived()) {
        return true;
      }
    }
    return false;
  }

  /** Returns whether the wildcard part contains the value at a path. */
  boolean holds(FieldPath path) {
    for (Scope scope : scopes) {
      if (scope.covers(path)) {
        return scope.included();
      }
    }
    return true;
  }

  /** Returns whether the wildcard has an entry for documents in which a path is missing. */
  boolean holdsAbsence(FieldPath path) {
    return traversal == Traversal.EXPLICIT
        && scopes.stream()
            .anyMatch(
                scope ->
                    scope.included()
                        && scope.reach() == Scope.Reach.LEAF
                        && scope.path().equals(path));
  }

  private static void checkPaths(String name, List<Part> parts) {
    Set<FieldPath> paths = new HashSet<>();
    boolean wildcard = false;
    for (Part part : parts) {
      check(paths.add(part.path()), "a path occurs twice in an index", name);
      check(part.manyPaths() || part.path().length() > 0, "a part needs a path", name);
      check(!(wildcard && part.manyPaths()), "an index has one wildcard at most", name);
      wildcard |= part.manyPaths();
    }
  }

  private static void check(boolean holds, String message, String name) {
    if (!holds) {
      throw new IndexException(Reason.BAD_SPEC, message, name);
    }
  }
}
