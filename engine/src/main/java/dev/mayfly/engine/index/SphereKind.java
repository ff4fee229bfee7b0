package dev.mayfly.engine.index;

import dev.mayfly.engine.index.IndexException.Reason;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Intervals;
import dev.mayfly.query.geo.GeometryException;
import dev.mayfly.query.geo.Location;
import dev.mayfly.query.geo.Region;
import dev.mayfly.query.geo.Winding;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Spherical index part ({@code 2dsphere}, Cosmos DB's spatial index): the components are the cells
 * of the sphere that a geometry covers in part.
 *
 * <p>Implicit indexes traverse arrays on the path; an array at its end is a geometry. A value that
 * is missing, null or an empty array has no cells; any other value that is not a valid geometry is
 * rejected. Explicit indexes traverse no arrays, read polygons with their interior on the left, and
 * ignore an invalid geometry.
 */
record SphereKind() implements IndexKind {
  @Override
  public String flag() {
    return "sphere";
  }

  @Override
  public boolean derived() {
    return true;
  }

  @Override
  public boolean multikey(Traversal traversal, FieldPath path, boolean metArray) {
    return true;
  }

  @Override
  public Intervals intervals(Filter condition, FieldPath path, boolean multikey, Keys keys) {
    return condition instanceof Filter.Geo(FieldPath at, Region region) && at.equals(path)
        ? Intervals.cells(region, keys.order())
        : Intervals.ANY;
  }

  @Override
  public List<Value> components(Document document, FieldPath path, Traversal traversal) {
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
    if (isAbsent(value)) {
      return;
    }
    try {
      cells.addAll(Location.onSphere(value).cells());
    } catch (GeometryException wrong) {
      throw new IndexException(Reason.BAD_GEOMETRY, wrong);
    }
  }

  private static boolean isAbsent(Value value) {
    return switch (value.type()) {
      case MISSING, NULL, UNDEFINED -> true;
      case ARRAY -> value.asDocument().isEmpty();
      default -> false;
    };
  }
}
