package dev.mayfly.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Engine;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Registered in a static field, an instance lives as long as its class. */
final class SharedInstanceTest {
  private static final Instant START = Instant.ofEpochSecond(7);

  @RegisterExtension static final MayflyExtension MAYFLY = MayflyExtension.inMemory(START);

  @BeforeAll
  static void theInstanceIsThereBeforeTheFirstTest() {
    MAYFLY.create("shared", CollectionSpec.mongo());
  }

  @RepeatedTest(2)
  void allTestsSeeTheSameCollection(Engine engine) {
    assertThat(engine.namespaces()).hasSize(1);
  }

  @Test
  void theClockStartsAtTheGivenInstant() {
    assertThat(MAYFLY.clock().now()).isEqualTo(START.toEpochMilli());
  }

  @Nested
  final class InANestedClass {
    @Test
    void theInstanceIsTheSame(Engine engine) {
      assertThat(engine.namespaces()).hasSize(1);
    }
  }
}
