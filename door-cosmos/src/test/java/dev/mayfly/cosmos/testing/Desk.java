package dev.mayfly.cosmos.testing;

import dev.mayfly.cosmos.CosmosDoor;
import dev.mayfly.cosmos.CosmosSettings;
import dev.mayfly.cosmos.auth.MasterKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.Clock;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Request;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A door on an engine in memory whose clock is moved by hand, and a client of it.
 *
 * <p>Headers are written as {@code name: value}; a request is signed unless it brings an
 * authorization of its own.
 */
public final class Desk implements AutoCloseable {
  /** Sunday, 15 November 2026. */
  public static final long START = 1_794_700_800_000L;

  private final ManualClock clock = new ManualClock(START);
  private final ManualClock wall = new ManualClock(START);
  private final Store store;
  private final UnaryOperator<CosmosSettings> change;
  private final UnaryOperator<Handler> front;
  private final SignedClient client = new SignedClient(this::port, wall);
  private volatile Duration tick = Duration.ZERO;
  private Engine engine;
  private CosmosDoor door;

  private Desk(Store store, UnaryOperator<CosmosSettings> change, UnaryOperator<Handler> front) {
    this.store = store;
    this.change = change;
    this.front = front;
    this.engine = engine();
    this.door = door();
  }

  public static Desk open() {
    return open(settings -> settings);
  }

  public static Desk open(UnaryOperator<CosmosSettings> change) {
    return new Desk(new MemoryStore(), change, UnaryOperator.identity());
  }

  /** A door with something before it that sees all requests. */
  public static Desk behind(UnaryOperator<Handler> front) {
    return new Desk(new MemoryStore(), settings -> settings, front);
  }

  /** A door on an engine that keeps everything in a store. */
  public static Desk on(Store store) {
    return new Desk(store, settings -> settings, UnaryOperator.identity());
  }

  private Engine engine() {
    EngineSettings settings = EngineSettings.standard(() -> 0).withBackground(false);
    return LocalEngine.open(store, new EngineClock(), settings);
  }

  /** The clock of the engine: that of the desk, which a look may move. */
  private final class EngineClock implements Clock {
    @Override
    public long now() {
      return clock.advance(tick);
    }

    @Override
    public boolean isManual() {
      return true;
    }
  }

  private CosmosDoor door() {
    CosmosSettings settings = CosmosSettings.standard(wall).withAddress("127.0.0.1", 0);
    return CosmosDoor.open(engine, change.apply(settings), front);
  }

  /** Closes the door and the engine and opens both again. */
  public void restart() {
    door.close();
    engine.close();
    engine = engine();
    door = door();
  }

  public Engine store() {
    return engine;
  }

  public int port() {
    return door.port();
  }

  public String endpoint() {
    return door.endpoint();
  }

  /** Moves the clock of the engine, not that of the clients. */
  public void advance(Duration by) {
    clock.advance(by);
  }

  /** Lets every look of the engine at its clock move the clock. */
  public void tick(Duration by) {
    tick = by;
  }

  /** The time of the engine. */
  public long now() {
    return clock.now();
  }

  /** Moves the clock of the clients, and that by which the door judges it. */
  public void moveClients(Duration by) {
    wall.advance(by);
  }

  /** The date that clients sign with. */
  public String date() {
    return client.date();
  }

  public Answer get(String path, String... headers) {
    return send("GET", path, "", headers);
  }

  public Answer post(String path, String body, String... headers) {
    return send("POST", path, body, headers);
  }

  public Answer put(String path, String body, String... headers) {
    return send("PUT", path, body, headers);
  }

  public Answer patch(String path, String body, String... headers) {
    return send("PATCH", path, body, headers);
  }

  public Answer delete(String path, String... headers) {
    return send("DELETE", path, "", headers);
  }

  /** Sends a request and waits for its answer. */
  public Answer send(String method, String path, String body, String... headers) {
    return client.send(method, path, body, headers);
  }

  /** As {@link #send(String, String, String, String...)}, with a body that is no text. */
  public Answer send(String method, String path, byte[] body, String... headers) {
    return client.send(method, path, body, headers);
  }

  /** A signed request of the well-known key at {@link #START}, for a handler without a server. */
  public static Request signed(String method, String path, String body) {
    String date = SignedClient.date(START);
    String authorization = SignedClient.authorization(method, path, MasterKey.WELL_KNOWN, date);
    return Request.of(
        method,
        path,
        Map.of("authorization", authorization, "x-ms-date", date),
        body.getBytes(StandardCharsets.UTF_8));
  }

  /** The signature of the well-known key. */
  public String authorization(String method, String path) {
    return authorization(method, path, MasterKey.WELL_KNOWN);
  }

  /** A signature of the well-known key with a date. */
  public String authorizationAt(String method, String path, String date) {
    return SignedClient.authorization(method, path, MasterKey.WELL_KNOWN, date);
  }

  public String authorization(String method, String path, String key) {
    return SignedClient.authorization(method, path, key, date());
  }

  @Override
  public void close() {
    client.close();
    door.close();
    engine.close();
    store.close();
  }
}
