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
 * The description of one index.
 *
 * @param parts what its keys are made of, in turn; at most one is a wildcard. With parts on the
 *     sphere, a document that tells no place at any of them has no key
 * @param unique true when no two documents may have the same key
 * @param guarded true when no write may give a document a key that another has; documents written
 *     before may share theirs
 * @param sparse true when a document without any of the parts has no key
 * @param hidden true when queries must not use it
 * @param partial which documents have keys; {@link Filter.All} for all of them
 * @param order the tags that values are written with
 * @param scopes which paths a wildcard holds, most precise first; empty for all
 * @param collation what values are folded with before they become keys
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
   * Where documents in the manner of Cosmos DB tell the second of their last write, which the
   * engine knows of each. An explicit index with such a part holds it.
   */
  public static final FieldPath WRITTEN = FieldPath.of("_ts");

  /** As many parts as MongoDB allows. */
  public static final int MAX_PARTS = 32;

  /**
   * Checks that the parts go together.
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
    check(!(wildcard && derived(parts)), "a wildcard index knows no places", name);
    check(wildcard || scopes.isEmpty(), "only a wildcard index has scopes", name);
    check(!sparse || partial.equals(Filter.all()), "an index is either sparse or partial", name);
  }

  /** A MongoDB index over these parts, with no options. */
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

  /** A Cosmos index over these parts, with no options. */
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

  /** The same index with keys that no two documents may share, or without that rule. */
  public IndexSpec withUnique(boolean unique) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The same index with keys that no further documents come to share, or without that rule. */
  public IndexSpec withGuarded(boolean guarded) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The same index without keys for documents that have none of its parts, or with them. */
  public IndexSpec withSparse(boolean sparse) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The same index, hidden from queries or not. */
  public IndexSpec withHidden(boolean hidden) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The same index for those documents alone that pass the filter. */
  public IndexSpec withPartial(Filter partial) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The same wildcard index, holding what these scopes say. */
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

  /** The same index with texts that compare as the collation says. */
  public IndexSpec withCollation(Collation collation) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The same index with keys in this order of types. */
  public IndexSpec withOrder(Order order) {
    return new IndexSpec(
        name, parts, unique, guarded, sparse, hidden, partial, traversal, order, scopes, collation);
  }

  /** The part of a wildcard index that lies below a path. */
  IndexSpec below(FieldPath path) {
    Part wildcard = parts.getFirst();
    return explicit(name, new Part(path, wildcard.descending(), wildcard.kind()))
        .withOrder(order)
        .withScopes(scopes.toArray(Scope[]::new));
  }

  /**
   * The description that a stored form means.
   *
   * @throws IndexException BAD_SPEC when the document is not such a form
   */
  public static IndexSpec of(Document form) {
    return SpecForm.read(form);
  }

  /** A form that can be stored; {@link #of} reads it back, in this and every later version. */
  public Document toDocument() {
    return SpecForm.write(this);
  }

  /**
   * True when a missing value is written as null.
   *
   * <p>Unique indexes hold that the two are the same. So do MongoDB's sorts: an index of several
   * parts could not serve them if all documents without a part came before those where it is null,
   * whatever follows. An index of one part keeps the two apart, which makes existence a range.
   */
  public boolean foldsMissing() {
    return unique || (traversal == Traversal.IMPLICIT && parts.size() > 1);
  }

  /** True when its keys tell when documents were written. */
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

  /** True when the wildcard part holds the value at this path. */
  boolean holds(FieldPath path) {
    for (Scope scope : scopes) {
      if (scope.covers(path)) {
        return scope.included();
      }
    }
    return true;
  }

  /** True when the wildcard has an entry for documents in which this path leads nowhere. */
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
