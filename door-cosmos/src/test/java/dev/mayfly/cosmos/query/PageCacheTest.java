package dev.mayfly.cosmos.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.TimeToLive;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is kept for later pages stays within its memory. */
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

  private static long kept(PageCache.Shelf shelf, int pages, long now) {
    return IntStream.range(0, pages).filter(i -> shelf.take(page(i), now).isPresent()).count();
  }

  @Test
  void theOldestGoWhenMemoryIsUsedUp() {
    PageCache.Shelf shelf = new PageCache(1000 * KIB).of("q");
    for (int i = 0; i < 100; i++) {
      shelf.keep(page(i), rest(90 * KIB), i);
    }
    assertThat(shelf.take(page(99), 100)).isPresent();
    assertThat(shelf.take(page(99), 100)).as("given out once").isEmpty();
    assertThat(shelf.take(page(0), 100)).isEmpty();
    assertThat(kept(shelf, 100, 100)).isLessThanOrEqualTo(11);
  }

  @Test
  void whatIsTooLargeIsNotKept() {
    PageCache.Shelf shelf = new PageCache(100 * KIB).of("q");
    shelf.keep(page(0), rest(101 * KIB), 0);
    assertThat(kept(shelf, 1, 0)).isZero();
    shelf.keep(page(0), rest(90 * KIB), 0);
    assertThat(kept(shelf, 1, 0)).isEqualTo(1);
    assertThat(kept(new PageCache(0).of("q"), 1, 0)).isZero();
  }
}
