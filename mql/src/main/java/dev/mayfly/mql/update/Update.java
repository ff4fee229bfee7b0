package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;

/** Update of a document: a replacement, update operators or a pipeline. */
public sealed interface Update permits Replacement, Modifications, PipelineUpdate {
  /**
   * Returns the updated document; the same instance if nothing changes.
   *
   * @throws QueryException if the update cannot be applied to the document
   */
  Document apply(Document before, Scope scope, UpdateContext context);

  /** Returns whether the update replaces the whole document. */
  default boolean replaces() {
    return this instanceof Replacement;
  }

  /** Returns whether the update needs the index of the array element that matched the query. */
  default boolean needsPlace() {
    return false;
  }
}
