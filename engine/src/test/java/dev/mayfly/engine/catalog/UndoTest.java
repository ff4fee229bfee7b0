package dev.mayfly.engine.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.store.Space;
import dev.mayfly.store.Store;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Undo within the grace restores documents that the last rule change expired. */
final class UndoTest {
  private static final Namespace NAME = new Namespace("db", "items");
  private static final long GRACE = 60_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final Store store = MemoryStore.withFilters();
  private LocalEngine engine = open();

  private LocalEngine open() {
    return LocalEngine.open(
        store, clock, EngineSettings.standard(clock::now).withBackground(false));
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @Test
  void tooShortTtlIsUndone() {
    LocalCollection items = create(TimeToLive.OFF);
    insert(items, 10);
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1));
    assertThat(items.usage()).isEqualTo(Usage.NONE);
    clock.advance(Duration.ofMillis(GRACE - 1));
    sweepAndCompact();
    items.expiry().undo();
    assertThat(items.usage().documents()).isEqualTo(10);
    assertThat(items.spec().timeToLive().defaultSeconds()).isEqualTo(TimeToLive.OFF);
  }

  @Test
  void undoWorksAfterARestart() {
    insert(create(TimeToLive.OFF), 10);
    clock.advance(Duration.ofSeconds(10));
    engine.collection(NAME).alter(spec -> spec.withDefaultTtl(1));
    engine.close();
    engine = open();
    sweepAndCompact();
    engine.collection(NAME).expiry().undo();
    assertThat(engine.collection(NAME).usage().documents()).isEqualTo(10);
  }

  @Test
  void undoAfterTheGraceFails() {
    LocalCollection items = create(TimeToLive.OFF);
    insert(items, 10);
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1));
    clock.advance(Duration.ofMillis(GRACE));
    assertNothingToUndo(items);
    sweepAndCompact();
    assertThat(engine.sweepStats().documents()).isEqualTo(10);
    assertThat(items.usage()).isEqualTo(Usage.NONE);
  }

  @Test
  void longerGraceDoesNotApplyToThePast() {
    LocalCollection items = engine.create(NAME, CollectionSpec.cosmos("p"));
    insert(items, 1);
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1));
    items.alter(spec -> spec.withTimeToLive(spec.timeToLive().withGrace(GRACE)));
    assertNothingToUndo(items);
  }

  @Test
  void undoKeepsALongerTtlAndRestoresDocuments() {
    LocalCollection items = create(5);
    insert(items, 10);
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1000));
    assertThat(items.usage()).isEqualTo(Usage.NONE);
    items.expiry().undo();
    assertThat(items.usage().documents()).isEqualTo(10);
    assertThat(items.spec().timeToLive().defaultSeconds()).isEqualTo(1000);
  }

  @Test
  void changesAreUndoneLastFirst() {
    LocalCollection items = create(100);
    items.insert(item(1).build());
    clock.advance(Duration.ofSeconds(30));
    items.insert(item(2).build());
    items.alter(spec -> spec.withDefaultTtl(20));
    assertThat(items.usage().documents()).isEqualTo(1);
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(10));
    assertThat(items.usage()).isEqualTo(Usage.NONE);
    items.expiry().undo();
    assertThat(items.usage().documents()).isEqualTo(1);
    items.expiry().undo();
    assertThat(items.usage().documents()).isEqualTo(2);
    assertNothingToUndo(items);
  }

  @Test
  void undoAfterARestartKeepsEarlierExpiries() {
    LocalCollection items = create(5);
    items.insert(item(1).build());
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1000));
    items.insert(item(2).build());
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(5));
    assertThat(items.usage()).isEqualTo(Usage.NONE);
    engine.close();
    engine = open();
    engine.collection(NAME).expiry().undo();
    assertThat(engine.collection(NAME).usage().documents()).isEqualTo(1);
    engine.collection(NAME).expiry().undo();
    assertThat(engine.collection(NAME).usage().documents()).isEqualTo(2);
  }

  @Test
  void undoSkipsChangesThatExpiredNothing() {
    LocalCollection items = create(TimeToLive.OFF);
    insert(items, 10);
    items.alter(spec -> spec.withDefaultTtl(1000));
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(5));
    items.insert(item(100).build());
    items.alter(spec -> spec.withDefaultTtl(4));
    assertThat(items.expiry().undo().documents()).isEqualTo(10);
    assertThat(items.usage().documents()).isEqualTo(11);
    assertThat(items.spec().timeToLive().defaultSeconds()).isEqualTo(1000);
    assertThatThrownBy(() -> items.expiry().undo())
        .isInstanceOfSatisfying(
            EngineException.class,
            refused ->
                assertThat(refused.reason()).isEqualTo(EngineException.Reason.NOTHING_TO_UNDO));
    assertThat(items.spec().timeToLive().defaultSeconds()).isEqualTo(1000);
  }

  @Test
  void undoDoesNotRestoreAReusedId() {
    LocalCollection items = create(TimeToLive.OFF);
    items.insert(item(1).put("generation", 1).build());
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1));
    items.insert(item(1).put("generation", 2).build());
    undoLastChange(items);
    assertThat(items.usage().documents()).isEqualTo(1);
    StoredDocument found = items.read(DocumentKey.of("x", "1")).orElseThrow();
    assertThat(found.document().field("generation").asInt()).isEqualTo(2);
  }

  @Test
  void undoDoesNotRestoreADuplicateUniqueKey() {
    LocalCollection items = create(TimeToLive.OFF);
    items.insert(item(1).put("mail", "a").build());
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(5));
    items.insert(item(2).put("mail", "a").build());
    IndexSpec mail = IndexSpec.explicit("mail", Part.ascending(FieldPath.of("mail")));
    items.alter(spec -> spec.withIndex(mail.withUnique(true)));
    engine.workUntilIdle();
    assertThat(items.buildFailure()).isEmpty();
    undoLastChange(items);
    assertThat(items.usage().documents()).isEqualTo(1);
    assertThat(items.read(DocumentKey.of("x", "2"))).isPresent();
    assertThatThrownBy(() -> items.insert(item(3).put("mail", "a").build()))
        .isInstanceOf(EngineException.class);
  }

  @Test
  void sweepDoesNotRevertAnUndo() {
    LocalCollection items = create(TimeToLive.OFF);
    insert(items, 10);
    clock.advance(Duration.ofSeconds(10));
    items.alter(spec -> spec.withDefaultTtl(1));
    items.expiry().undo();
    clock.advance(Duration.ofMillis(10 * GRACE));
    sweepAndCompact();
    assertThat(items.usage().documents()).isEqualTo(10);
    assertThat(engine.sweepStats().documents()).isZero();
  }

  /** Undoes the last rule change, whether or not a document becomes live again. */
  private void undoLastChange(LocalCollection items) {
    engine.registry().replace(items, Alteration::undone);
  }

  private LocalCollection create(long defaultSeconds) {
    CollectionSpec spec = CollectionSpec.cosmos("p").withDefaultTtl(defaultSeconds);
    return engine.create(NAME, spec.withTimeToLive(spec.timeToLive().withGrace(GRACE)));
  }

  private static void insert(LocalCollection items, int upTo) {
    for (int i = 1; i <= upTo; i++) {
      items.write(new Write.Upsert(item(i).build()));
    }
  }

  private static dev.mayfly.value.DocumentWriter item(int id) {
    return Document.writer().put("id", Integer.toString(id)).put("p", "x");
  }

  private void sweepAndCompact() {
    engine.workUntilIdle();
    for (Space space : Space.values()) {
      store.reclaim(1, space);
    }
  }

  private static void assertNothingToUndo(LocalCollection items) {
    assertThatThrownBy(() -> items.expiry().undo())
        .isInstanceOfSatisfying(
            EngineException.class,
            refused ->
                assertThat(refused.reason()).isEqualTo(EngineException.Reason.NOTHING_TO_UNDO));
  }
}
