package dev.mayfly.engine;

import dev.mayfly.engine.index.Traversal;
import dev.mayfly.query.Mode;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Order;

/** Protocol that a collection was created by: its id field, order of values and array semantics. */
public enum Dialect {
  MONGO(Order.MONGO, Traversal.IMPLICIT, Mode.MATCH),
  COSMOS(Order.COSMOS, Traversal.EXPLICIT, Mode.SQL);

  private static final FieldPath MONGO_ID = FieldPath.of("_id");
  private static final FieldPath COSMOS_ID = FieldPath.of("id");

  private final Order order;
  private final Traversal traversal;
  private final Mode mode;

  Dialect(Order order, Traversal traversal, Mode mode) {
    this.order = order;
    this.traversal = traversal;
    this.mode = mode;
  }

  /** The field that holds a document's id. */
  public FieldPath id() {
    return this == MONGO ? MONGO_ID : COSMOS_ID;
  }

  public Order order() {
    return order;
  }

  public Traversal traversal() {
    return traversal;
  }

  /** How filters read documents. */
  public Mode mode() {
    return mode;
  }
}
