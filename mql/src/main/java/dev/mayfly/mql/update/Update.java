package dev.mayfly.mql.update;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;

/** What becomes of a document. */
public sealed interface Update permits Replacement, Modifications, PipelineUpdate {
  /**
   * The document after the update; the given one itself when nothing changes.
   *
   * @throws QueryException when the document is none that the update can be applied to
   */
  Document apply(Document before, Scope scope, UpdateContext context);

  /** True when the update puts one given document in place of another, whatever that was. */
  default boolean replaces() {
    return this instanceof Replacement;
  }

  /** True when applying it needs the place of the array element by which a document was found. */
  default boolean needsPlace() {
    return false;
  }
}
