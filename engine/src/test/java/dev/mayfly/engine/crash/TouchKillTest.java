package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that extends the lives of many documents at once: what it has acknowledged is
 * stored, and a touch that is continued after the kill extends no life twice.
 */
@ExtendWith(SeedExtension.class)
final class TouchKillTest {
  private static final long START = 1_700_000_000_000L;
  private static final int KILLS = 4;

  @TempDir private Path directory;

  private long begun;
  private long done;
  private long next = Touch.FROM_NOW;

  @Test
  void aTouchThatAKillInterruptedIsContinued(Random random) throws Exception {
    for (int i = 0; i < KILLS; i++) {
      kill(random, START + i * 600_000L);
      examine(START + i * 600_000L);
    }
    assertThat(done).isPositive();
  }

  private void kill(Random random, long now) throws IOException, InterruptedException {
    try (KilledProcess process =
        KilledProcess.start(
            this::note, KilledTouches.class, directory.resolve("data"), now, done + 1)) {
      process.read(1 + random.nextInt(60));
      process.kill();
    }
  }

  private void note(String line) {
    if (!line.endsWith(KilledTouches.END)) {
      return;
    }
    String[] words = line.split(" ", -1);
    long number = Long.parseLong(words[1]);
    switch (words[0]) {
      case "touch" -> {
        begun = number;
        next = Touch.FROM_NOW;
      }
      case "next" -> next = number;
      case "touched" -> done = number;
      default -> throw new AssertionError(line);
    }
  }

  private void examine(long started) {
    ManualClock clock = new ManualClock(started);
    clock.advance(Duration.ofMinutes(5));
    try (RocksStore store = KilledWriter.open(directory.resolve("data"));
        LocalEngine engine = LocalEngine.open(store, clock, KilledWriter.settings(clock))) {
      LocalCollection carts = engine.collection(KilledTouches.NAME);
      checkBetween(carts, done, begun);
      Audit.check(engine, carts);
      finish(carts);
      checkBetween(carts, begun, begun);
      done = begun;
      Audit.check(engine, carts);
    }
  }

  /** Continues the last touch; if its first call was interrupted, touches what it left. */
  private void finish(LocalCollection carts) {
    if (next == Touch.FROM_NOW) {
      Touch rest =
          Touch.of(new NewLife.Extended(KilledTouches.BY_MILLIS))
              .where(stored -> stored.deadline() < deadline(1, begun));
      carts.expiry().touch(KilledTouches.filter(), rest, () -> false);
    }
    while (next != Touch.FROM_NOW) {
      next = KilledTouches.extend(carts, next);
    }
  }

  private static void checkBetween(LocalCollection carts, long least, long most) {
    for (int id = 0; id < KilledTouches.COUNT; id++) {
      assertThat(carts.read(DocumentKey.of(Value.of(id))).orElseThrow().deadline())
          .as("deadline of %s after %s to %s touches", id, least, most)
          .isIn(deadline(id, least), deadline(id, most));
    }
  }

  private static long deadline(int id, long touches) {
    return START + KilledTouches.TTL_SECONDS * 1000 + (id % 2) * touches * KilledTouches.BY_MILLIS;
  }
}
