package dev.mayfly.cosmos.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.TimeToLive;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The cache of pages stays within its memory. */
final class PageCacheTest {
  private static final int KIB = 1 << 10;

  private static PageCache.Rest rest(int bytes) {
    return new PageCache.Rest(
        List.of(new PageCache.Result(new byte[bytes], Long.MAX_VALUE)),
        true,
        false,
        new PageCache.Basis(TimeToLive.NONE, 1));
  }

  private static QueryContinuation page(int number) {
    return QueryContinuation.beginning(number);
  }

  private static long cached(PageCache.QueryEntries entries, int pages, long now) {
    return IntStream.range(0, pages).filter(i -> entries.take(page(i), now).isPresent()).count();
  }

  @Test
  void theOldestEntriesAreEvicted() {
    PageCache.QueryEntries entries = new PageCache(1000 * KIB).of("q");
    for (int i = 0; i < 100; i++) {
      entries.put(page(i), rest(90 * KIB), i);
    }
    assertThat(entries.take(page(99), 100)).isPresent();
    assertThat(entries.take(page(99), 100)).as("returned once").isEmpty();
    assertThat(entries.take(page(0), 100)).isEmpty();
    assertThat(cached(entries, 100, 100)).isLessThanOrEqualTo(11);
  }

  @Test
  void entriesThatAreTooLargeAreNotCached() {
    PageCache.QueryEntries entries = new PageCache(100 * KIB).of("q");
    entries.put(page(0), rest(101 * KIB), 0);
    assertThat(cached(entries, 1, 0)).isZero();
    entries.put(page(0), rest(90 * KIB), 0);
    assertThat(cached(entries, 1, 0)).isEqualTo(1);
    assertThat(cached(new PageCache(0).of("q"), 1, 0)).isZero();
  }
}
