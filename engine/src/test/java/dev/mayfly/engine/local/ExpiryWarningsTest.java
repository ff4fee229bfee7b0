package dev.mayfly.engine.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.ExpiryService.Soonest;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.MemoryStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SeedExtension.class)
final class ExpiryWarningsTest {
  private static final long WITHIN = 10_000;

  private final ManualClock clock = new ManualClock(1_700_000_000_000L);
  private final LocalEngine engine =
      LocalEngine.open(
          new MemoryStore(), clock, EngineSettings.standard(clock::now).withBackground(false));
  private String position = "";

  @AfterEach
  void close() {
    engine.close();
  }

  private LocalCollection create(CollectionSpec spec) {
    return engine.create(new Namespace("db", "things"), spec);
  }

  private static Document document(int id, int ttl) {
    return Document.writer().put("_id", id).put("ttl", ttl).build();
  }

  private void advance(int seconds) {
    clock.advance(Duration.ofSeconds(seconds));
  }

  /** Returns the ids of the next warnings. */
  private List<Integer> warned(LocalCollection things) {
    return due(things, 100).stream().map(due -> due.key().id().asInt()).toList();
  }

  private List<Soonest.Due> due(LocalCollection things, int most) {
    List<Soonest.Due> all = new ArrayList<>();
    Warnings warnings;
    do {
      warnings = things.expiry().warnings(position, WITHIN, most);
      assertThat(warnings.documents().size()).isLessThanOrEqualTo(most);
      position = warnings.next();
      all.addAll(warnings.documents());
    } while (warnings.more());
    return all;
  }

  @Test
  void eachDocumentIsReportedOnceBeforeItExpires() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(60));
    things.insert(document(1, 60));
    things.insert(document(2, 30));
    assertThat(warned(things)).isEmpty();
    advance(19);
    assertThat(warned(things)).isEmpty();
    advance(1);
    assertThat(warned(things)).containsExactly(2);
    assertThat(warned(things)).isEmpty();
    advance(30);
    assertThat(warned(things)).containsExactly(1);
    advance(30);
    assertThat(warned(things)).isEmpty();
  }

  @Test
  void aLongerLifeIsReportedAgain() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(60));
    things.insert(document(1, 20));
    advance(10);
    assertThat(warned(things)).containsExactly(1);
    things.write(new Write.Upsert(document(1, 20)));
    assertThat(warned(things)).isEmpty();
    advance(10);
    assertThat(warned(things)).containsExactly(1);
  }

  @Test
  void aShortLifeIsReportedAtOnce() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(60));
    assertThat(warned(things)).isEmpty();
    things.insert(document(1, 5));
    things.insert(document(2, 50));
    assertThat(warned(things)).containsExactly(1);
    assertThat(warned(things)).isEmpty();
    things.write(new Write.Upsert(document(2, 3)));
    things.write(new Write.Delete(DocumentKey.of(Value.of(1))));
    assertThat(warned(things)).containsExactly(2);
  }

  @Test
  void aRuleChangeReportsAgain() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(60));
    things.insert(Document.writer().put("_id", 1).build());
    assertThat(warned(things)).isEmpty();
    things.alter(spec -> spec.withDefaultTtl(8));
    assertThat(warned(things)).containsExactly(1);
    assertThat(warned(things)).isEmpty();
  }

  @Test
  void aTrimmedFeedReportsAgain() {
    LocalCollection things =
        create(
            CollectionSpec.mongo()
                .withDefaultTtl(60)
                .withFeed(
                    new CollectionSpec.FeedSpec(
                        dev.mayfly.engine.ChangeImageMode.NONE, 1000, 1 << 20)));
    things.insert(document(1, 8));
    assertThat(warned(things)).containsExactly(1);
    things.insert(document(2, 8));
    advance(2);
    engine.workUntilIdle();
    assertThat(warned(things)).containsExactlyInAnyOrder(1, 2);
    assertThat(warned(things)).isEmpty();
  }

  @Test
  void wrongPositionsAreRefused() {
    LocalCollection things = create(CollectionSpec.mongo().withDefaultTtl(60));
    for (String wrong : List.of("x", "a~b~c", "a~1,2~1.0.00", "a~1~x", "~~")) {
      assertThatThrownBy(() -> things.expiry().warnings(wrong, WITHIN, 1))
          .as(wrong)
          .isInstanceOf(EngineException.class)
          .hasMessageContaining("BAD_HINT");
    }
  }

  /** Every version that is live within the time is reported exactly once, whatever the pages. */
  @Test
  void agreesWithBruteForce(Random random) {
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withShards(3)
            .withIndex(IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at"))));
    LocalCollection things =
        create(spec.withTimeToLive(spec.timeToLive().withDefault(40).withIndex("at_1", 0)));
    Set<Long> reported = new HashSet<>();
    for (int step = 0; step < 2000; step++) {
      switch (random.nextInt(6)) {
        case 0 -> clock.advance(Duration.ofMillis(random.nextInt(4000)));
        case 1 -> engine.work();
        case 2 -> check(things, 1 + random.nextInt(5), reported);
        default -> {
          Document document =
              Document.writer()
                  .put("_id", random.nextInt(60))
                  .put("at", Value.date(clock.now() + random.nextInt(60_000)))
                  .build();
          things.write(new Write.Upsert(document));
        }
      }
    }
    assertThat(reported).hasSizeGreaterThan(100);
  }

  private void check(LocalCollection things, int most, Set<Long> reported) {
    List<Soonest.Due> found = due(things, most);
    for (Soonest.Due due : found) {
      assertThat(reported.add(due.stored().version())).as("%s is new", due).isTrue();
      assertThat(due.stored().deadline()).isBetween(clock.now() + 1, clock.now() + WITHIN);
    }
    Soonest all = things.expiry().soonest("", 1000, () -> false);
    for (Soonest.Due due : all.documents()) {
      assertThat(reported.contains(due.stored().version()))
          .as("%s at %s", due, clock.now())
          .isEqualTo(due.stored().deadline() <= clock.now() + WITHIN);
    }
  }
}
