package dev.mayfly.mongo.access;

import dev.mayfly.engine.Explanation;
import dev.mayfly.mongo.command.Operation;
import java.util.List;
import java.util.function.Supplier;

/** Records the plans of a request's queries: in the index usage and in the operation. */
record QueryTracker(IndexUsage.OfCollection uses, Operation operation) {
  /** Records a read by {@code _id}. */
  void point() {
    uses.point();
  }

  /** Records a new query; the supplier returns its current explanation at any time. */
  void began(Supplier<Explanation> query) {
    operation.searches(query);
  }

  /** Records the end of a query that has read these indexes, or has scanned the collection. */
  void ended(List<String> indexes) {
    uses.count(indexes);
  }
}
