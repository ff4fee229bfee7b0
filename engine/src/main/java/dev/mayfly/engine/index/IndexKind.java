package dev.mayfly.engine.index;

import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Intervals;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Kind of an index part: which components a document has in the keys, and where a condition finds
 * them. Planner, bounds, sort and stored form use only the methods below. A new kind is a new
 * implementation, a factory in {@code Part} and a line in {@code SpecForm}.
 *
 * <p>Example: {@code {at: "2dsphere"}} has a part of {@link SphereKind}. For a document with a
 * polygon at {@code at}, {@link #components} returns the cells that the polygon covers, one key
 * each; for a {@code $geoWithin}, {@link #intervals} returns the cells of its region.
 */
public sealed interface IndexKind permits ValueKind, WildcardKind, SphereKind {
  /** Returns the flag of the stored form of a part; empty for the kind without a flag. */
  String flag();

  /** Returns the value of the flag in the stored form of a part of another kind. */
  default Value flagOfOthers() {
    return Value.MISSING;
  }

  /** Returns whether a part has entries for all paths below its path: path, then value. */
  default boolean manyPaths() {
    return false;
  }

  /**
   * Returns whether components are computed from the value (cells of a geometry). A document may
   * have any number of them; if it has none at any such part, it has no key.
   */
  default boolean derived() {
    return false;
  }

  /** Returns whether the component is the value at the path of the part. */
  default boolean plain() {
    return !manyPaths() && !derived();
  }

  /**
   * Returns the components of a document; only for {@linkplain #derived derived} kinds.
   *
   * @throws IndexException if an index with this traversal rejects the document
   */
  default List<Value> components(Document document, FieldPath path, Traversal traversal) {
    throw new UnsupportedOperationException("the component is the value");
  }

  /**
   * Returns whether a document may have several components.
   *
   * @param path the path that the query chose for the part
   * @param metArray whether any document has an array at the part
   */
  boolean multikey(Traversal traversal, FieldPath path, boolean metArray);

  /** Returns the intervals that contain a component of every document that passes a condition. */
  default Intervals intervals(Filter condition, FieldPath path, boolean multikey, Keys keys) {
    return Intervals.of(
        condition, path, keys.traversal().mode(), keys.order(), multikey, keys.collation());
  }

  /** Encoding of the keys of an index. */
  record Keys(Traversal traversal, Order order, Collation collation) {}
}
