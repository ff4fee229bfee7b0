package dev.mayfly.cosmos.query;

import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Page of a query whose results depend on all items: groups, counts, an order that no index has.
 *
 * <p>Computes the results from the first on, skips those of earlier pages, and leaves some results
 * after its end in the cache for a {@link CachedPage}. For one thread.
 */
final class ComputedPage {
  /** Maximum number of results after the page that are computed with it. */
  private static final long AHEAD = 2000;

  private final PageRequest page;
  private final Results results;
  private final List<PageCache.Result> ahead = new ArrayList<>();
  private long aheadBytes;
  private boolean aheadFull;
  private long index;
  private Optional<QueryContinuation> next = Optional.empty();

  ComputedPage(PageRequest page, Results results) {
    this.page = page;
    this.results = results;
  }

  /** Returns how many results a page needs: earlier pages, this one, and some ahead. */
  static long needed(PageRequest page, Results results) {
    return Math.min(page.end(), page.first() + results.maxCount() + 1L + AHEAD);
  }

  /** Fills the page and returns where the next one begins; empty if this is the last. */
  Optional<QueryContinuation> fill(ResultSource source) {
    source.each(this::add);
    boolean complete = !aheadFull && (index >= page.end() || index < needed(page, results));
    boolean together = page.query().grouping().isPresent();
    PageCache.Rest rest = new PageCache.Rest(ahead, complete, together, page.basis());
    next.ifPresent(token -> page.cache().put(token, rest, page.now()));
    return next;
  }

  private boolean add(Value result, long deadline) {
    long at = index++;
    if (at >= page.end()) {
      return false;
    }
    if (at < page.first()) {
      return true;
    }
    if (next.isEmpty() && isFull()) {
      next = Optional.of(page.from().restartAfter(at));
    }
    if (next.isPresent()) {
      return addAhead(result, deadline);
    }
    results.add(result);
    return true;
  }

  private boolean isFull() {
    return results.full() || (results.count() > 0 && page.limit().passed());
  }

  private boolean addAhead(Value result, long deadline) {
    PageCache.Result one =
        new PageCache.Result(Json.write(result).getBytes(StandardCharsets.UTF_8), deadline);
    aheadFull = aheadBytes + one.bytes() > PageCache.MAX_ENTRY_BYTES || ahead.size() >= AHEAD;
    if (!aheadFull) {
      aheadBytes += one.bytes();
      ahead.add(one);
    }
    return !aheadFull;
  }
}
