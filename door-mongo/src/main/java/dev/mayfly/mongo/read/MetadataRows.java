package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.FoundRows;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;

/**
 * Rows of a query for a pipeline; puts the {@code $meta} values of each document into the scope of
 * expressions. For one thread.
 */
final class MetadataRows implements Rows {
  private final FoundRows found;
  private final Query query;
  private final RequestedMetadata requestedMetadata;
  private final double unit;
  private final Scope scope;

  /**
   * Rows of a query.
   *
   * @param unit factor for reported distances
   */
  MetadataRows(
      FoundRows found, Query query, RequestedMetadata requestedMetadata, double unit, Scope scope) {
    this.found = found;
    this.query = query;
    this.requestedMetadata = requestedMetadata;
    this.unit = unit;
    this.scope = scope;
  }

  @Override
  public boolean next() {
    boolean more = found.next();
    scope.metadata(more ? requestedMetadata.metadata(found, query, unit) : Document.EMPTY);
    return more;
  }

  @Override
  public Document current() {
    return found.current();
  }

  @Override
  public void close() {
    found.close();
  }
}
