package dev.mayfly.cosmos.account;

import dev.mayfly.value.Document;
import java.util.List;

/** Queries over lists of resources that are no items. */
public interface Selection {
  /**
   * The rows of a query.
   *
   * @param query the body: a text and its parameters
   */
  List<Document> select(Document query, List<Document> all);
}
