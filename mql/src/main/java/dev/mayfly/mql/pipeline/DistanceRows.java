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
 * Each document with how far away its nearest place is; without a place it stays as it is.
 *
 * @param path where the places are
 * @param unit what a distance is multiplied by
 * @param into where the distance goes
 * @param places where the place goes, if anywhere
 */
public record DistanceRows(
    FieldPath path, NearQuery near, double unit, FieldPath into, Optional<FieldPath> places)
    implements Stage.Step {
  /** The stage that does this. */
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
