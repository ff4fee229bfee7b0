package dev.mayfly.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.value.Document;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

final class OffsetClockTest {
  @RegisterExtension
  final MayflyExtension mayfly = MayflyExtension.inMemory().withOffsetClock().withDoors();

  @Test
  void theClockGoesOnAfterItIsMoved() {
    Collection sessions =
        mayfly.create("sessions", CollectionSpec.mongo().withDefaultTtl(86_400 * 30));
    sessions.insert(Document.writer().put("_id", "s-1").build());
    mayfly.advance(Duration.ofDays(29));
    assertThat(sessions.read(DocumentKey.of("s-1"))).isPresent();
    mayfly.advance(Duration.ofDays(1));
    assertThat(sessions.read(DocumentKey.of("s-1"))).isEmpty();
    long moved = mayfly.clock().now();
    while (mayfly.clock().now() == moved) {
      Thread.onSpinWait();
    }
    assertThat(mayfly.clock().now()).isGreaterThan(moved);
    assertThat(mayfly.engine().alarms().raised()).isEmpty();
  }
}
