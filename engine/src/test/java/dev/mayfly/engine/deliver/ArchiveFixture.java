package dev.mayfly.engine.deliver;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import java.time.Duration;

/** An engine with a movable clock and a collection whose documents live for ten seconds. */
final class ArchiveFixture implements AutoCloseable {
  static final Namespace THINGS = new Namespace("db", "things");
  static final Namespace PAST = new Namespace("db", "past");

  final ManualClock clock = new ManualClock(1_700_000_000_000L);
  final Store store = new MemoryStore();
  LocalEngine engine;
  private final ArchiveSettings settings;

  ArchiveFixture(ArchiveSettings settings) {
    this.settings = settings;
    this.engine = open();
  }

  private LocalEngine open() {
    return LocalEngine.open(
        store,
        clock,
        EngineSettings.standard(clock::now).withBackground(false).withArchive(settings));
  }

  /** Closes the engine and opens it again on the same store. */
  void restart() {
    engine.close();
    engine = open();
  }

  LocalCollection create(OnExpire action) {
    return engine.create(THINGS, spec(action));
  }

  static CollectionSpec spec(OnExpire action) {
    return CollectionSpec.mongo().withDefaultTtl(10).withOnExpire(action);
  }

  LocalCollection things() {
    return engine.collection(THINGS);
  }

  static Document document(int id, String text) {
    return Document.writer().put("_id", id).put("text", text).build();
  }

  void insert(int first, int count) {
    for (int i = first; i < first + count; i++) {
      things().insert(document(i, "life " + i));
    }
  }

  void advance(int seconds) {
    clock.advance(Duration.ofSeconds(seconds));
    engine.clockMoved();
  }

  /** Lets all documents expire and does all background work. */
  void expire() {
    advance(11);
    engine.workUntilIdle();
  }

  @Override
  public void close() {
    engine.close();
    store.close();
  }
}
