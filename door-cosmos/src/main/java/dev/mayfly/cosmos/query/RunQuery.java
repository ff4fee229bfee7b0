package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.expiry.Clock;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.query.Filter;
import dev.mayfly.query.limit.Interrupt;
import dev.mayfly.sql.compiler.CompiledQuery;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** {@code POST .../docs} with a query: one page of its results. */
public final class RunQuery implements Endpoint {
  private final Containers containers;
  private final Clock wall;
  private final boolean lenientOrder;
  private final PageCache pageCache;

  /**
   * @param wall measures how long a page takes
   * @param lenientOrder whether ORDER BY accepts paths that are not indexed
   * @param cacheBytes maximum size of the page cache
   */
  public RunQuery(Containers containers, Clock wall, boolean lenientOrder, long cacheBytes) {
    this.pageCache = new PageCache(cacheBytes);
    this.containers = containers;
    this.wall = wall;
    this.lenientOrder = lenientOrder;
  }

  @Override
  public Reply run(Exchange exchange) {
    PageLimit limit = new PageLimit(Timer.start(wall), Interrupt.request());
    return Interrupt.run(limit, () -> page(exchange, limit));
  }

  private Reply page(Exchange exchange, PageLimit limit) {
    Timer timer = limit.timer();
    Request request = exchange.request();
    Container container = containers.find(exchange.address());
    CompiledQuery query = QueryText.of(request.body()).compile(container);
    long compiling = timer.millis();
    if (!lenientOrder) {
      Ordering.of(query, container).check();
    }
    QueryContinuation from =
        QueryContinuation.of(
            request.header(HeaderNames.CONTINUATION), fingerprint(request, container));
    Results results = new Results(container, Results.maxCount(request));
    KeyRange range = KeyRange.of(request, container);
    Filter visible = Visibility.of(request, container, query);
    PageCache.QueryEntries cache = pageCache.of(identity(request, container));
    boolean explains =
        request.isTrue(HeaderNames.POPULATE_INDEX_METRICS)
            || request.isTrue(HeaderNames.POPULATE_INDEX_USE);
    PageCache.Basis basis = PageCache.Basis.of(container.collection());
    PageRequest pageRequest =
        new PageRequest(
            exchange, container, query, range, visible, from, cache, basis, limit, explains);
    QueryPage page = QueryText.translated(() -> QueryPage.fill(pageRequest, results));
    exchange.charge(page.measures().charge());
    if (request.isTrue(HeaderNames.POPULATE_QUERY_METRICS)) {
      exchange.header(
          HeaderNames.QUERY_METRICS, page.measures().text(results, compiling, timer.millis()));
    }
    if (explains) {
      reportIndexUse(exchange, IndexUse.of(container, query, page.measures().explanation()));
    }
    Reply reply = Items.located(results.reply(), container, Items.lsn(container.collection()));
    page.next().ifPresent(next -> reply.header(HeaderNames.CONTINUATION, next.text()));
    return reply;
  }

  /** Returns a hash of the query and its partition key: a continuation token is valid for one. */
  private static long fingerprint(Request request, Container container) {
    String key = request.header(HeaderNames.PARTITION_KEY);
    int where = 31 * container.rid().hashCode() + (key == null ? 0 : key.hashCode());
    return (long) where << 32 ^ Integer.toUnsignedLong(Arrays.hashCode(request.body()));
  }

  /** Returns the key of the page cache: everything that determines the results of a query. */
  private static String identity(Request request, Container container) {
    return String.join(
        "\n",
        container.rid().toString(),
        String.valueOf(request.header(HeaderNames.PARTITION_KEY)),
        String.valueOf(request.header(HeaderNames.START_EPK)),
        String.valueOf(request.header(HeaderNames.END_EPK)),
        String.valueOf(request.isTrue(HeaderNames.ENABLE_SCAN)),
        new String(request.body(), StandardCharsets.ISO_8859_1));
  }

  private static void reportIndexUse(Exchange exchange, IndexUse use) {
    boolean old = exchange.request().isTrue(HeaderNames.POPULATE_INDEX_METRICS);
    exchange.header(HeaderNames.INDEX_METRICS, old ? use.base64() : use.escaped());
  }
}
