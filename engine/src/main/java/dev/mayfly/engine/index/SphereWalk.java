package dev.mayfly.engine.index;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.Location;
import dev.mayfly.query.geo.Winding;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The components that a document has at the parts of an index that are on the sphere, and all
 * combinations of them.
 *
 * <p>Arrays on the way to a part are gone through; one at its end is itself a place. What is
 * missing, null or an empty array tells no place and has null for its component. Explicit indexes
 * have polygons left of their rings, go through no arrays, and take what is no valid geometry for
 * no place; others refuse that.
 *
 * <p>Keeps the components of one document: belongs to one thread at a time.
 */
final class SphereWalk {
  private static final List<Value> NO_PLACE = List.of(Value.NULL);

  private final List<Part> parts;
  private final Traversal traversal;
  private final List<List<Value>> components;
  private final int[] chosen;

  SphereWalk(IndexSpec spec) {
    this.parts = spec.parts();
    this.traversal = spec.traversal();
    this.components = new ArrayList<>();
    parts.forEach(_ -> components.add(NO_PLACE));
    this.chosen = new int[parts.size()];
  }

  /**
   * Finds the components of a document; false when it tells no place at all.
   *
   * @throws IndexException BAD_GEOMETRY
   */
  boolean find(Document document) {
    boolean found = false;
    for (int i = 0; i < parts.size(); i++) {
      if (parts.get(i).sphere()) {
        List<Value> cells = cells(document, parts.get(i).path());
        components.set(i, cells.isEmpty() ? NO_PLACE : cells);
        found |= !cells.isEmpty();
      }
    }
    return found;
  }

  /** A bit for each part that has several components. */
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

  /** Goes to the next combination; false when there is none. */
  boolean advance() {
    for (int i = 0; i < chosen.length; i++) {
      if (++chosen[i] < components.get(i).size()) {
        return true;
      }
      chosen[i] = 0;
    }
    return false;
  }

  /** The component of a part in the current combination. */
  Value component(int part) {
    return components.get(part).get(chosen[part]);
  }

  private List<Value> cells(Document document, FieldPath path) {
    Set<Long> cells = new TreeSet<>();
    switch (traversal) {
      case IMPLICIT -> collect(document, path, 0, cells);
      case EXPLICIT ->
          Location.find(document.at(path), Winding.LEFT)
              .flatMap(Location::geometry)
              .ifPresent(geometry -> cells.addAll(geometry.cells()));
    }
    return cells.stream().map(Value::of).toList();
  }

  private static void collect(Document object, FieldPath path, int step, Set<Long> cells) {
    Value value = object.field(path.stepUtf8(step));
    if (step + 1 == path.length()) {
      add(value, cells);
    } else if (value.isDocument()) {
      collect(value.asDocument(), path, step + 1, cells);
    } else if (value.isArray()) {
      collectElements(value.asDocument(), path, step + 1, cells);
    }
  }

  private static void collectElements(Document array, FieldPath path, int step, Set<Long> cells) {
    Fields elements = array.fields();
    for (int i = 0; elements.next(); i++) {
      if (elements.type() == Type.OBJECT) {
        collect(elements.value().asDocument(), path, step, cells);
      }
      if (path.index(step) == i) {
        atPlace(elements.value(), path, step + 1, cells);
      }
    }
  }

  private static void atPlace(Value element, FieldPath path, int step, Set<Long> cells) {
    if (step == path.length()) {
      add(element, cells);
    } else if (element.isDocument()) {
      collect(element.asDocument(), path, step, cells);
    } else if (element.isArray()) {
      collectElements(element.asDocument(), path, step, cells);
    }
  }

  private static void add(Value value, Set<Long> cells) {
    if (tellsNothing(value)) {
      return;
    }
    try {
      cells.addAll(Location.onSphere(value).cells());
    } catch (GeometryException wrong) {
      throw new IndexException(Reason.BAD_GEOMETRY, wrong);
    }
  }

  private static boolean tellsNothing(Value value) {
    return switch (value.type()) {
      case MISSING, NULL, UNDEFINED -> true;
      case ARRAY -> value.asDocument().isEmpty();
      default -> false;
    };
  }
}
