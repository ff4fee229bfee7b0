package dev.mayfly.query;

import dev.mayfly.value.Order;

/** Semantics of filters and sort orders, one per query language. */
public enum Mode {
  /**
   * MongoDB: a path traverses arrays at every step and one matching element is enough, values
   * compare within their type bracket, null matches missing, logic has two values.
   */
  MATCH(Order.MONGO),

  /**
   * Cosmos SQL: a path leads to one value or to undefined, equality of different types is false and
   * their order undefined, logic has three values and only true selects a document.
   */
  SQL(Order.COSMOS);

  private final Order order;

  Mode(Order order) {
    this.order = order;
  }

  /** Returns the order of values for sorting results. */
  public Order order() {
    return order;
  }
}
