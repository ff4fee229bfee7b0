package dev.mayfly.cosmos.query;

import java.util.Optional;

/** Page from the cache: results that an earlier page computed, except those expired since. */
final class CachedPage {
  private final PageRequest page;
  private final PageCache.Rest rest;

  CachedPage(PageRequest page, PageCache.Rest rest) {
    this.page = page;
    this.rest = rest;
  }

  /** Fills the page and returns where the next one begins; empty if this is the last. */
  Optional<QueryContinuation> fill(Results results) {
    int taken = 0;
    while (taken < rest.results().size() && !results.full()) {
      PageCache.Result result = rest.results().get(taken);
      if (result.live(page.now())) {
        results.add(result.json());
      }
      taken++;
    }
    PageCache.Rest remaining = rest.skip(taken);
    if (remaining.results().isEmpty() && rest.complete()) {
      return Optional.empty();
    }
    QueryContinuation next = page.from().restartAfter(page.from().results() + taken);
    page.cache().put(next, remaining, page.now());
    return Optional.of(next);
  }
}
