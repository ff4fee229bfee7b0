package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;

/** Documents shown with what is known of them beside their fields. */
final class RowsWithMetadata implements Rows {
  private final FoundRows found;
  private final Query query;
  private final RequestedMetadata requestedMetadata;
  private final double unit;
  private final Projection projection;
  private final Scope scope;

  /**
   * Documents of a query, put into a shape that may tell more than their fields.
   *
   * @param unit how much a distance of one is to be told as
   */
  RowsWithMetadata(
      FoundRows found,
      Query query,
      RequestedMetadata requestedMetadata,
      double unit,
      Projection projection,
      Scope scope) {
    this.found = found;
    this.query = query;
    this.requestedMetadata = requestedMetadata;
    this.unit = unit;
    this.projection = projection;
    this.scope = scope;
  }

  @Override
  public boolean next() {
    return found.next();
  }

  @Override
  public Document current() {
    return requestedMetadata.numbered(
        requestedMetadata.keys() ? found.indexKey() : shaped(), found);
  }

  private Document shaped() {
    scope.metadata(requestedMetadata.metadata(found, query, unit));
    return projection.apply(found.current(), scope);
  }

  @Override
  public void close() {
    found.close();
  }
}
