package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that reads documents of a sliding rule: a life is shortened by less than the
 * slack, and never longer than a read has granted.
 */
@ExtendWith(SeedExtension.class)
final class SlidingKillTest {
  private static final int KILLS = 5;

  @TempDir private Path directory;

  private final Map<Integer, Long> begun = new HashMap<>();
  private final Map<Integer, Long> done = new HashMap<>();
  private long now = 1_700_000_000_000L;

  @Test
  void aKillShortensALifeByLessThanTheSlack(Random random) throws Exception {
    for (int i = 0; i < KILLS; i++) {
      kill(random);
      examine();
    }
    assertThat(done).isNotEmpty();
  }

  private void kill(Random random) throws IOException, InterruptedException {
    try (KilledProcess process =
        KilledProcess.start(
            this::note, KilledSessions.class, directory.resolve("data"), now, random.nextLong())) {
      process.read(500 + random.nextInt(3000));
      process.kill();
    }
  }

  private void note(String line) {
    String[] words = line.split(" ", -1);
    boolean complete =
        words.length == 3 && words[1].length() == 13 && words[2].matches("[0-9]{1,2}");
    if (!complete) {
      return;
    }
    long at = Long.parseLong(words[1]);
    now = Math.max(now, at);
    (words[0].equals("used") ? done : begun).put(Integer.parseInt(words[2]), at);
  }

  private void examine() {
    ManualClock clock = new ManualClock(now);
    try (RocksStore store = KilledWriter.open(directory.resolve("data"));
        LocalEngine engine = LocalEngine.open(store, clock, KilledWriter.settings(clock))) {
      LocalCollection sessions = engine.collection(KilledSessions.NAME);
      for (int id = 0; id < KilledSessions.IDS; id++) {
        check(sessions.peek(DocumentKey.of(Value.of(id))), id);
      }
      assertThat(sessions.check(false).wrong()).isZero();
      engine.workUntilIdle();
      assertThat(sessions.check(false).wrong()).isZero();
    }
  }

  private void check(Optional<StoredDocument> found, int id) {
    long least =
        done.getOrDefault(id, 0L) + KilledSessions.TTL_MILLIS - KilledSessions.SLACK_MILLIS;
    long most = begun.getOrDefault(id, 0L) + KilledSessions.TTL_MILLIS;
    long deadline = found.map(StoredDocument::deadline).orElse(now);
    assertThat(deadline).as("deadline of %s", id).isLessThanOrEqualTo(Math.max(most, now));
    if (found.isPresent() || least > now) {
      assertThat(deadline).as("deadline of %s", id).isGreaterThan(least);
    }
  }
}
