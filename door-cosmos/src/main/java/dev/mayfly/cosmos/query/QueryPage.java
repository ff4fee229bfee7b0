package dev.mayfly.cosmos.query;

import dev.mayfly.expiry.Deadline;
import dev.mayfly.sql.DistinctFilter;
import dev.mayfly.sql.compiler.CompiledQuery;
import java.util.Optional;

/**
 * One page of a query: chooses how to fill it.
 *
 * <ul>
 *   <li>{@link CachedPage}: an earlier page has stored the results in the cache.
 *   <li>{@link ComputedPage}: results depend on all items.
 *   <li>{@link StreamedPage}: results follow from single items, in the order in which the engine
 *       returns them.
 * </ul>
 *
 * <p>The results do not depend on the cache. For one thread.
 *
 * @param next where the next page begins; empty if this is the last
 * @param measures query metrics of the page
 */
record QueryPage(Optional<QueryContinuation> next, Measures measures) {
  /** Computes a page into results. */
  static QueryPage fill(PageRequest page, Results results) {
    try (ItemScan scan = new ItemScan(page)) {
      Optional<QueryContinuation> next = fill(page, scan, results);
      return new QueryPage(next, scan.measures());
    }
  }

  private static Optional<QueryContinuation> fill(
      PageRequest page, ItemScan scan, Results results) {
    Optional<PageCache.Leftover> leftover =
        page.from().results() == 0 ? Optional.empty() : page.cache().take(page.from(), page.now());
    if (leftover.isPresent()
        && leftover.get() instanceof PageCache.Rest rest
        && rest.isValid(page.now(), page.basis())) {
      return new CachedPage(page, rest).fill(results);
    }
    Optional<ResultSource> all = allResults(page, scan, results);
    return all.isPresent()
        ? new ComputedPage(page, results).fill(all.get())
        : new StreamedPage(page, scan, results, leftover.flatMap(QueryPage::returned)).fill();
  }

  private static Optional<DistinctFilter> returned(PageCache.Leftover leftover) {
    return leftover instanceof PageCache.Returned(DistinctFilter results)
        ? Optional.of(results)
        : Optional.empty();
  }

  /** Returns the source of results that depend on all items; empty if results can be streamed. */
  private static Optional<ResultSource> allResults(
      PageRequest page, ItemScan scan, Results results) {
    CompiledQuery query = page.query();
    if (!query.readsItems()) {
      return Optional.of(
          visitor ->
              query.selection().each(scan.row(), result -> visitor.visit(result, Deadline.NEVER)));
    }
    GroupedResults grouped = new GroupedResults(query, scan);
    if (query.counts() && scan.readsAll()) {
      return Optional.of(
          grouped.ofCount(page.container().collection().usage(page.operation()).documents()));
    }
    if (query.grouping().isPresent()) {
      return Optional.of(grouped);
    }
    long needed = ComputedPage.needed(page, results);
    return page.ordering().isStored()
        ? Optional.empty()
        : Optional.of(new SortedResults(query, page.ordering(), needed, scan));
  }
}
