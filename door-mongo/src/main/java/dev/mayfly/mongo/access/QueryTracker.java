package dev.mayfly.mongo.access;

import dev.mayfly.engine.Explanation;
import dev.mayfly.mongo.command.Operation;
import java.util.function.Supplier;

/** Who is told how a request finds documents: the counts of the collection, and the operation. */
record QueryTracker(IndexUsage.OfCollection uses, Operation operation) {
  /** One document is read by its id. */
  void point() {
    uses.point();
  }

  /** A query begins; it can tell at any time how it goes. */
  void began(Supplier<Explanation> query) {
    operation.searches(query);
  }

  /** A query is over. */
  void ended(Explanation query) {
    uses.took(query.access());
  }
}
