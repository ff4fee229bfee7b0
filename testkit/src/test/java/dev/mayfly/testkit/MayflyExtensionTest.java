package dev.mayfly.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class MayflyExtensionTest {
  private static final DocumentKey KEY = DocumentKey.of("s-1");
  private static final CollectionSpec HALF_AN_HOUR = CollectionSpec.mongo().withDefaultTtl(1800);

  @RegisterExtension final MayflyExtension mayfly = MayflyExtension.inMemory();

  @Test
  void aDocumentIsVisibleUntilItsDeadline() {
    Collection sessions = mayfly.create("sessions", HALF_AN_HOUR);
    sessions.insert(session());
    mayfly.advance(Duration.ofMinutes(30).minusMillis(1));
    assertThat(sessions.read(KEY)).isPresent();
    mayfly.advance(Duration.ofMillis(1));
    assertThat(sessions.read(KEY)).isEmpty();
  }

  @Test
  void advanceSweepsAndWritesExpiriesToTheFeed() {
    Collection sessions = mayfly.create("sessions", HALF_AN_HOUR);
    sessions.insert(session());
    long deadline = sessions.read(KEY).orElseThrow().deadline();
    mayfly.advance(Duration.ofHours(1));
    assertThat(mayfly.engine().sweepStats().documents()).isEqualTo(1);
    assertThat(mayfly.engine().sweepStats().lagMillis()).isZero();
    assertThat(sessions.feeds().getFirst().read(0, 10))
        .last()
        .satisfies(
            change -> {
              assertThat(change.kind()).isEqualTo(Change.Kind.EXPIRE);
              assertThat(change.deadline()).isEqualTo(deadline);
              assertThat(change.time()).isEqualTo(mayfly.clock().now());
            });
  }

  @Test
  void movingTheClockDirectlyExpiresWithoutSweeping() {
    Collection sessions = mayfly.create("sessions", HALF_AN_HOUR);
    sessions.insert(session());
    mayfly.clock().advance(Duration.ofDays(1));
    assertThat(sessions.usage()).isEqualTo(Usage.NONE);
    assertThat(mayfly.engine().sweepStats().documents()).isZero();
    mayfly.settle();
    assertThat(mayfly.engine().sweepStats().documents()).isEqualTo(1);
  }

  @Test
  void settleBuildsIndexes() {
    Collection events = mayfly.create("events", CollectionSpec.mongo());
    long at = mayfly.clock().now();
    events.insert(Document.writer().put("_id", "s-1").put("at", Value.date(at)).build());
    events.alter(
        spec -> {
          FieldPath path = FieldPath.of("at");
          CollectionSpec indexed = spec.withIndex(IndexSpec.implicit("at_1", Part.ascending(path)));
          return indexed.withTimeToLive(indexed.timeToLive().withIndex("at_1", 60));
        });
    assertThat(events.builds()).isNotEmpty();
    mayfly.settle();
    assertThat(events.builds()).isEmpty();
    mayfly.advance(Duration.ofSeconds(60));
    assertThat(events.read(KEY)).isEmpty();
  }

  @RepeatedTest(2)
  void everyTestHasItsOwnInstance() {
    assertThat(mayfly.engine().namespaces()).isEmpty();
    assertThat(mayfly.clock().now())
        .isEqualTo(Instant.parse("2030-01-01T00:00:00Z").toEpochMilli());
    mayfly.create("sessions", HALF_AN_HOUR);
    mayfly.advance(Duration.ofHours(1));
  }

  @Test
  void parametersBelongToTheInstance(Mayfly given, Engine engine, ManualClock clock) {
    assertThat(given).isSameAs(mayfly.mayfly());
    assertThat(engine).isSameAs(mayfly.engine());
    assertThat(clock).isSameAs(mayfly.clock());
  }

  @Test
  void withoutDoorsThereIsNoServer() {
    assertThatIllegalStateException().isThrownBy(mayfly::mongo).withMessageContaining("withDoors");
  }

  @Test
  void thereIsNoInstanceOutsideATest() {
    MayflyExtension unregistered = MayflyExtension.inMemory();
    assertThatIllegalStateException().isThrownBy(unregistered::clock);
  }

  private static Document session() {
    return Document.writer().put("_id", "s-1").build();
  }
}
