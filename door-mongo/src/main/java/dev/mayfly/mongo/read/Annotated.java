package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.Found;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;

/** Documents shown with what is known of them beside their fields. */
final class Annotated implements Rows {
  private final Found found;
  private final Query query;
  private final Beside beside;
  private final double unit;
  private final Projection projection;
  private final Scope scope;

  /**
   * Documents of a query, put into a shape that may tell more than their fields.
   *
   * @param unit how much a distance of one is to be told as
   */
  Annotated(
      Found found, Query query, Beside beside, double unit, Projection projection, Scope scope) {
    this.found = found;
    this.query = query;
    this.beside = beside;
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
    return beside.numbered(beside.keys() ? found.indexKey() : shaped(), found);
  }

  private Document shaped() {
    scope.metadata(beside.metadata(found, query, unit));
    return projection.apply(found.current(), scope);
  }

  @Override
  public void close() {
    found.close();
  }
}
