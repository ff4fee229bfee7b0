package dev.mayfly.mql.projection;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import java.util.List;

/** Projection of documents, as in {@code find}. For one thread at a time. */
@FunctionalInterface
public interface Projection {
  /**
   * Returns the projected document.
   *
   * @throws QueryException if a computed field fails, or a positional projection finds no element
   */
  Document apply(Document document, Scope scope);

  /** Returns the projection that leaves documents unchanged. */
  static Projection whole() {
    return (document, _) -> document;
  }

  /** Returns a projection by a shape, followed by changes of arrays. */
  static Projection of(Stage.Step shape, List<ArrayChange> changes) {
    return (document, scope) -> {
      Document shaped = shape.apply(document, scope.root(document));
      for (ArrayChange change : changes) {
        shaped = change.apply(document, shaped);
      }
      return shaped;
    };
  }

  /** Shortens an array of a shaped document. */
  sealed interface ArrayChange permits Slice, PositionalProjection {
    /**
     * Returns the shaped document with the array changed.
     *
     * @param found the original document
     */
    Document apply(Document found, Document shaped);
  }
}
