package dev.mayfly.cosmos.query;

import dev.mayfly.cluster.Cell;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerDefinition;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Metadata;
import dev.mayfly.cosmos.rest.Address;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A container and its queries, without a network, on a clock that is moved by hand. */
final class Shop implements AutoCloseable {
  private static final String PATH = "/dbs/shop/colls/items/docs";

  final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final Store store = MemoryStore.withFilters();
  private Engine engine = open();
  private Containers containers = new Containers(engine, new Metadata(engine, Cell.HOME));
  private Container container;
  private boolean lenient;
  private Clock wall = clock;
  private @Nullable RunQuery running;
  private boolean forgetful;
  private int pages;
  private Reply last = new Reply(0);
  private double charged;

  /** A container that is partitioned by {@code /p}; the definition has single quotes. */
  Shop(String definition) {
    Document body = json("{'id':'items','partitionKey':{'paths':['/p']}" + definition + "}");
    container =
        containers.create(containers.create("shop"), ContainerDefinition.of(body), 0, engine.now());
  }

  Shop() {
    this("");
  }

  private Engine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  /** As after a restart of the process. */
  void restart() {
    engine.close();
    engine = open();
    containers = new Containers(engine, new Metadata(engine, Cell.HOME));
    container = containers.find(Address.of(PATH));
    running = null;
  }

  /** Whether each page is computed without what others have left over. */
  void forgets(boolean everything) {
    forgetful = everything;
  }

  private RunQuery running() {
    RunQuery endpoint = running;
    if (endpoint == null || forgetful) {
      endpoint = new RunQuery(containers, wall, lenient, Long.MAX_VALUE);
      running = endpoint;
    }
    return endpoint;
  }

  Shop lenient() {
    lenient = true;
    running = null;
    return this;
  }

  /** Every read of the clock advances it by a second. */
  Shop slow() {
    AtomicLong seconds = new AtomicLong();
    wall = () -> 1000 * seconds.incrementAndGet();
    running = null;
    return this;
  }

  /** Measures pages with another clock. */
  Shop timedBy(Clock other) {
    wall = other;
    running = null;
    return this;
  }

  /** Returns the number of pages that were requested. */
  int pages() {
    return pages;
  }

  Container container() {
    return container;
  }

  static Document json(String text) {
    return Json.parse(text.replace('\'', '"'), Limits.COSMOS);
  }

  Shop with(String... items) {
    for (String item : items) {
      container.collection().insert(json(item));
    }
    return this;
  }

  /** Writes an item anew. */
  void replace(String item) {
    container.collection().write(new Write.Replace(json(item)));
  }

  /** All results of a query, page after page, as JSON. */
  List<String> all(String sql, String... headers) {
    List<String> all = new ArrayList<>();
    String continuation = null;
    do {
      all.addAll(page(sql, continuation, headers));
      continuation = continuation();
    } while (continuation != null);
    return all;
  }

  /** The results of one page. */
  List<String> page(String sql, @Nullable String continuation, String... headers) {
    return page(Document.writer().put("query", sql).build(), continuation, headers);
  }

  List<String> page(Document body, @Nullable String continuation, String... headers) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    if (continuation != null) {
      all.put(HeaderNames.CONTINUATION, continuation);
    }
    pages++;
    last = post(running(), body, all);
    List<String> results = new ArrayList<>();
    Fields rows = Json.parse(last.body(), Limits.COSMOS).field("Documents").asDocument().fields();
    while (rows.next()) {
      results.add(Json.write(rows.value()));
    }
    return results;
  }

  Document plan(String sql) {
    Document body = Document.writer().put("query", sql).build();
    return Json.parse(post(new PlanQuery(containers), body, Map.of()).body(), Limits.COSMOS);
  }

  private Reply post(Endpoint endpoint, Document body, Map<String, String> headers) {
    byte[] bytes = Json.write(Value.of(body)).getBytes(StandardCharsets.UTF_8);
    Request request = Request.of("POST", PATH, headers, bytes);
    Exchange exchange = new Exchange(request, Address.of(PATH), engine::now, "test");
    Reply reply = exchange.finish(endpoint.run(exchange));
    charged = exchange.charged();
    return reply;
  }

  @Nullable String continuation() {
    return last.header(HeaderNames.CONTINUATION);
  }

  @Nullable String header(String name) {
    return last.header(name);
  }

  double charged() {
    return charged;
  }

  @Override
  public void close() {
    engine.close();
  }
}
