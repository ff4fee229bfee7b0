package dev.mayfly.mongo.read;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;

/** Rows with a projection. For one thread. */
final class ProjectedRows implements Rows {
  private final Rows rows;
  private final Projection projection;
  private final Scope scope;

  ProjectedRows(Rows rows, Projection projection, Scope scope) {
    this.rows = rows;
    this.projection = projection;
    this.scope = scope;
  }

  @Override
  public boolean next() {
    return rows.next();
  }

  @Override
  public Document current() {
    return projection.apply(rows.current(), scope);
  }

  @Override
  public void close() {
    rows.close();
  }
}
