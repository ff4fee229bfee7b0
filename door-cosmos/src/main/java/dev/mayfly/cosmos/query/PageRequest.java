package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.query.Filter;
import dev.mayfly.sql.compiler.CompiledQuery;

/**
 * Request for one page of a query.
 *
 * @param operation context of the request
 * @param range the partition keys to read
 * @param visible filter for the items that the query can find at all, see {@link Visibility}
 * @param from continuation token of the request, or the beginning
 * @param cache cache entries of earlier pages of this query
 * @param basis state of the container, read before the first item
 * @param explains whether to report how the engine finds items
 */
record PageRequest(
    OperationContext operation,
    Container container,
    CompiledQuery query,
    KeyRange range,
    Filter visible,
    QueryContinuation from,
    PageCache.QueryEntries cache,
    PageCache.Basis basis,
    PageLimit limit,
    boolean explains) {
  /** Returns the time of the request in epoch milliseconds. */
  long now() {
    return operation.now();
  }

  /** Returns the index of the first result of the page: after earlier pages and OFFSET. */
  long first() {
    return Math.max(from.results(), query.offset());
  }

  /** Returns the index after the last result of the query, by OFFSET, LIMIT and TOP. */
  long end() {
    long max = Math.min(query.top(), query.limit());
    return max > Long.MAX_VALUE - query.offset() ? Long.MAX_VALUE : query.offset() + max;
  }

  Ordering ordering() {
    return Ordering.of(query, container);
  }
}
