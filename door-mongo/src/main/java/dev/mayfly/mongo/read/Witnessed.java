package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.Found;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;

/** Documents that are found; who looks at one knows what is known of it beside its fields. */
final class Witnessed implements Rows {
  private final Found found;
  private final Query query;
  private final Beside beside;
  private final double unit;
  private final Scope scope;

  /**
   * Documents of a query.
   *
   * @param unit how much a distance of one is to be told as
   */
  Witnessed(Found found, Query query, Beside beside, double unit, Scope scope) {
    this.found = found;
    this.query = query;
    this.beside = beside;
    this.unit = unit;
    this.scope = scope;
  }

  @Override
  public boolean next() {
    boolean more = found.next();
    scope.metadata(more ? beside.metadata(found, query, unit) : Document.EMPTY);
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
