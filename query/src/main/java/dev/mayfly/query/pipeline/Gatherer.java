package dev.mayfly.query.pipeline;

import dev.mayfly.query.expression.Scope;
import dev.mayfly.value.Value;

/**
 * Makes one value of several documents.
 *
 * <p>Mutable, for one group of documents and one thread. Keeps copies of what it keeps: a view of
 * part of a document would keep all of it in memory.
 */
public interface Gatherer {
  /**
   * Takes what the document in the scope has to give.
   *
   * @return how many bytes more than before are kept; about, and never less than 0
   */
  int add(Scope scope);

  /** The value of all documents so far; more may follow. */
  Value result();
}
