package dev.mayfly.mongo.access;

import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.IndexKind;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.geo.NearQuery;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the 2d and 2dsphere indexes of a collection, which {@code $near} and {@code $geoNear} need.
 */
public final class GeoIndexes {
  private GeoIndexes() {}

  /**
   * Fails if no geospatial index serves a {@code $near} condition, as in MongoDB.
   *
   * @throws CommandException NO_QUERY_EXECUTION_PLANS
   */
  static void require(CollectionOperations documents, Filter.Geo place, NearQuery near) {
    String path = place.path().toString();
    boolean served =
        paths(documents, IndexKind.PLANE).contains(path)
            || (near.onSphere() && paths(documents, IndexKind.SPHERE).contains(path));
    if (!served) {
      throw new CommandException(
          ErrorCode.NO_QUERY_EXECUTION_PLANS,
          "error processing query: ns="
              + documents.namespace()
              + "Tree: GEONEAR  field="
              + path
              + " maxdist="
              + near.to()
              + " isNearSphere="
              + (near.onSphere() ? 1 : 0)
              + "\nSort: {}\nProj: {}\n planner returned error :: caused by :: unable to find index"
              + " for $geoNear query");
    }
  }

  /**
   * The path of the only 2d index or, without one, of the only 2dsphere index.
   *
   * @throws CommandException INDEX_NOT_FOUND if there is no such index, or more than one of a kind
   */
  public static String only(CollectionOperations documents) {
    for (IndexKind kind : List.of(IndexKind.PLANE, IndexKind.SPHERE)) {
      List<String> paths = paths(documents, kind);
      if (paths.size() > 1) {
        throw new CommandException(
            ErrorCode.INDEX_NOT_FOUND,
            "There is more than one "
                + kind.plugin()
                + " index on "
                + documents.namespace()
                + "; unsure which to use for $geoNear");
      }
      if (paths.size() == 1) {
        return paths.getFirst();
      }
    }
    throw new CommandException(
        ErrorCode.INDEX_NOT_FOUND, "$geoNear requires a 2d or 2dsphere index, but none were found");
  }

  private static List<String> paths(CollectionOperations documents, IndexKind kind) {
    List<String> paths = new ArrayList<>();
    for (IndexForm form : Indexes.of(documents.spec())) {
      Fields key = form.key().fields();
      while (!form.hidden() && key.next()) {
        if (key.value().equals(Value.of(kind.plugin()))) {
          paths.add(key.name());
        }
      }
    }
    return paths;
  }
}
