package dev.mayfly.query;

import dev.mayfly.value.Order;

/** The two readings of a filter and of an order, one per query language. */
public enum Mode {
  /**
   * MongoDB: a path fans out over arrays at every step and one fitting element is enough, values
   * compare inside their own bracket, null stands for missing too, logic has two values.
   */
  MATCH(Order.MONGO),

  /**
   * Cosmos SQL: a path leads to one value or to nothing, equality of different types is false and
   * their order undefined, logic has three values and only true keeps a document.
   */
  SQL(Order.COSMOS);

  private final Order order;

  Mode(Order order) {
    this.order = order;
  }

  /** The order of values that results are sorted in. */
  public Order order() {
    return order;
  }
}
