package dev.mayfly.engine.index;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Components that one document has at the {@linkplain IndexKind#derived derived} parts of an index,
 * and all combinations of them. A part without a component has null.
 *
 * <p>Contains the components of one document; used by one thread at a time.
 */
final class DerivedComponents {
  private static final List<Value> NONE = List.of(Value.NULL);

  private final List<Part> parts;
  private final Traversal traversal;
  private final List<List<Value>> components;
  private final int[] chosen;

  DerivedComponents(IndexSpec spec) {
    this.parts = spec.parts();
    this.traversal = spec.traversal();
    this.components = new ArrayList<>();
    parts.forEach(_ -> components.add(NONE));
    this.chosen = new int[parts.size()];
  }

  /**
   * Finds the components of a document. Returns false if it has none at all.
   *
   * @throws IndexException BAD_GEOMETRY
   */
  boolean find(Document document) {
    boolean found = false;
    for (int i = 0; i < parts.size(); i++) {
      Part part = parts.get(i);
      if (part.derived()) {
        List<Value> derived = part.kind().components(document, part.path(), traversal);
        components.set(i, derived.isEmpty() ? NONE : derived);
        found |= !derived.isEmpty();
      }
    }
    return found;
  }

  /** Returns a bit for each part that has several components. */
  long several() {
    long bits = 0;
    for (int i = 0; i < components.size(); i++) {
      bits |= components.get(i).size() > 1 ? 1L << i : 0;
    }
    return bits;
  }

  /** Goes to the first combination. */
  void reset() {
    Arrays.fill(chosen, 0);
  }

  /** Goes to the next combination. Returns false after the last. */
  boolean advance() {
    for (int i = 0; i < chosen.length; i++) {
      if (++chosen[i] < components.get(i).size()) {
        return true;
      }
      chosen[i] = 0;
    }
    return false;
  }

  /** Returns the component of a part in the current combination. */
  Value component(int part) {
    return components.get(part).get(chosen[part]);
  }
}
