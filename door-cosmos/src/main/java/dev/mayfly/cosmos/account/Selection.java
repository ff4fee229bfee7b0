package dev.mayfly.cosmos.account;

import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.List;

/** Queries over lists of resources that are no items. */
public interface Selection {
  /**
   * The results of a query.
   *
   * @param query the body: a text and its parameters
   */
  List<Value> select(Document query, List<Document> all, long now);
}
