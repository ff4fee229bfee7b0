package dev.mayfly.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.value.testing.SeedExtension;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Random histories of a cluster in simulated time. */
@ExtendWith(SeedExtension.class)
final class SimulationTest {
  private static final int HISTORIES = Integer.getInteger("histories", 200);

  @Test
  void noWriteIsLostAndNoReadIsStale(Random random) {
    int answers = 0;
    for (int i = 0; i < HISTORIES; i++) {
      answers += new Simulation(new Random(random.nextLong())).run();
    }
    assertThat(answers).isGreaterThan(HISTORIES * 50);
  }
}
