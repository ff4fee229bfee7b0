package dev.mayfly.cosmos.item;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cosmos.testing.Answer;
import dev.mayfly.cosmos.testing.Desk;
import dev.mayfly.engine.Engine;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import java.time.Duration;

/** A desk with a database {@code db}, for tests of items. Bodies are written with single quotes. */
public final class Shop implements AutoCloseable {
  /** The container that most tests use, partitioned by {@code /pk}. */
  public static final String DOCS = "/dbs/db/colls/items/docs";

  private static final String KEY = "x-ms-documentdb-partitionkey: ";

  private final Desk desk;

  private Shop(Desk desk) {
    this.desk = desk;
    assertThat(send("POST", "/dbs", "{'id':'db'}").status()).isEqualTo(201);
  }

  public static Shop inMemory() {
    return on(MemoryStore.withFilters());
  }

  public static Shop on(Store store) {
    return new Shop(Desk.on(store));
  }

  /** The header that limits a request to a partition key, in JSON. */
  public static String key(String json) {
    return KEY + json.replace('\'', '"');
  }

  /** The header for a partition key that is one text. */
  public static String pk(String value) {
    return key("['" + value + "']");
  }

  /** Returns the path in the {@code _self} of an item. */
  public static String self(Document item) {
    String link = item.field("_self").asString();
    return "/" + link.substring(0, link.length() - 1);
  }

  /** Makes a container of the database. */
  public void container(String definition, String... headers) {
    Answer made = send("POST", "/dbs/db/colls", definition, headers);
    assertThat(made.status()).as(made.text()).isEqualTo(201);
  }

  public Answer send(String method, String path, String body, String... headers) {
    return desk.send(method, path, body.replace('\'', '"'), headers);
  }

  /** As {@link #send}, with all quotes as they are. */
  public Answer raw(String method, String path, String body, String... headers) {
    return desk.send(method, path, body, headers);
  }

  /** As {@link #raw}, with a body that is no text. */
  public Answer raw(String method, String path, byte[] body, String... headers) {
    return desk.send(method, path, body, headers);
  }

  public Answer get(String path, String... headers) {
    return desk.get(path, headers);
  }

  public void advance(long seconds) {
    desk.advance(Duration.ofSeconds(seconds));
  }

  /** The time of the engine in whole seconds. */
  public long seconds() {
    return desk.now() / 1000;
  }

  public Engine engine() {
    return desk.store();
  }

  /** Closes all and opens it again. */
  public void restart() {
    desk.restart();
  }

  @Override
  public void close() {
    desk.close();
  }
}
