package dev.mayfly.cosmos.account;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Queries over resources that are not items. */
public interface Selection {
  /**
   * Returns the results of a query.
   *
   * @param query body with the text and its parameters
   */
  List<Value> select(Document query, List<Document> all, long now);
}
