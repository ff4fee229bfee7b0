package dev.mayfly.mql.pipeline;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.geo.NearQuery;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Stage step of {@code $geoNear}: adds the distance to the nearest location of a document; a
 * document without a location stays unchanged.
 *
 * @param path the field with locations
 * @param unit the factor for distances
 * @param into the field for the distance
 * @param places the field for the location, if any
 */
public record DistanceRows(
    FieldPath path, NearQuery near, double unit, FieldPath into, Optional<FieldPath> places)
    implements Stage.Step {
  /** Returns the stage with this step. */
  public Stage stage() {
    Set<String> touched = new HashSet<>(Set.of(into.step(0)));
    places.ifPresent(field -> touched.add(field.step(0)));
    return new Stage.Reshape(this, PreservedFields.allBut(touched));
  }

  @Override
  public Document apply(Document document, Scope scope) {
    Optional<NearQuery.Found> found = near.nearest(document, path);
    if (found.isEmpty()) {
      return document;
    }
    Document measured =
        new FieldSetter(into).put(document, Value.of(found.get().distance() * unit));
    return places.isPresent()
        ? new FieldSetter(places.get()).put(measured, found.get().place())
        : measured;
  }
}
