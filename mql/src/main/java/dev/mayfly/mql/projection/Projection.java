package dev.mayfly.mql.projection;

import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.query.QueryException;
import dev.mayfly.value.Document;
import java.util.List;

/** Gives a document in the shape that was asked for. For one thread at a time. */
@FunctionalInterface
public interface Projection {
  /**
   * The document in its new shape.
   *
   * @throws QueryException when a computed field fails, or the document has no such element as is
   *     asked for
   */
  Document apply(Document document, Scope scope);

  /** All of the document. */
  static Projection whole() {
    return (document, _) -> document;
  }

  /** A shape, and changes of arrays in what the shape has left. */
  static Projection of(Stage.Step shape, List<ArrayChange> changes) {
    return (document, scope) -> {
      Document shaped = shape.apply(document, scope.root(document));
      for (ArrayChange change : changes) {
        shaped = change.apply(document, shaped);
      }
      return shaped;
    };
  }

  /** Makes an array of a shaped document shorter. */
  sealed interface ArrayChange permits Slice, PositionalProjection {
    /** The shaped document with the array changed; the document as it was found tells how. */
    Document apply(Document found, Document shaped);
  }
}
