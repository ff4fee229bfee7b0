package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;

/** Rows of {@code find} with a projection that uses metadata. For one thread. */
final class RowsWithMetadata implements Rows {
  private final FoundRows found;
  private final Query query;
  private final RequestedMetadata requestedMetadata;
  private final double unit;
  private final Projection projection;
  private final Scope scope;

  /**
   * Rows of a query.
   *
   * @param unit factor for reported distances
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
