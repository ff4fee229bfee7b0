package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.testing.SeedExtension;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that writes parents and children while their sweeps run: after it, exactly the
 * acknowledged children of live parents are there, and each other child has expired once, at the
 * deadline of its parent.
 */
@ExtendWith(SeedExtension.class)
final class FollowerKillTest {
  private static final int KILLS = 4;

  @TempDir private Path directory;

  /** The deadlines of acknowledged children. */
  private final Map<Long, Long> acknowledged = new HashMap<>();

  private long now = 1_700_000_000_000L;
  private int expired;

  @Test
  void childrenAndTheirParentsAgreeAfterAKill(Random random) throws Exception {
    for (int i = 0; i < KILLS; i++) {
      try (KilledProcess process =
          KilledProcess.start(
              this::note,
              KilledFamily.class,
              directory.resolve("data"),
              now,
              random.nextLong(),
              (long) i << 32)) {
        process.read(200 + random.nextInt(1000));
        process.kill();
      }
      examine();
    }
    assertThat(expired).isPositive();
  }

  private void note(String line) {
    if (line.startsWith("ack ") && line.endsWith(KilledFamily.END)) {
      String[] words = line.split(" ", -1);
      now = Math.max(now, Long.parseLong(words[1]));
      acknowledged.put(Long.parseLong(words[2]), Long.parseLong(words[3]));
    }
  }

  private void examine() {
    ManualClock clock = new ManualClock(now);
    try (RocksStore store = KilledWriter.open(directory.resolve("data"));
        LocalEngine engine = LocalEngine.open(store, clock, KilledWriter.settings(clock))) {
      LocalCollection children = engine.collection(KilledFamily.CHILDREN);
      // the process may have moved its clock since the last acknowledged write
      now = Math.max(now, lastTime(children));
      now = Math.max(now, lastTime(engine.collection(KilledFamily.PARENTS)));
      clock.advance(Duration.ofMillis(now - clock.now()));
      check(children, now);
      engine.workUntilIdle();
      check(children, now);
      assertThat(children.check(false).examples()).isEmpty();
      Set<Long> ended = new HashSet<>();
      for (Change change :
          children.feeds().getFirst().read(FeedReader.BEGINNING, Integer.MAX_VALUE)) {
        if (change.kind() == Change.Kind.EXPIRE) {
          long id = change.key().id().asLong();
          assertThat(ended.add(id)).as("expired once: %d", id).isTrue();
          assertThat(change.deadline()).isEqualTo(acknowledged.getOrDefault(id, change.deadline()));
        }
      }
      acknowledged.forEach(
          (id, deadline) -> assertThat(ended.contains(id)).isEqualTo(deadline <= now));
      expired = ended.size();
    }
  }

  private static long lastTime(LocalCollection collection) {
    return collection.feeds().getFirst().read(FeedReader.BEGINNING, Integer.MAX_VALUE).stream()
        .mapToLong(Change::time)
        .max()
        .orElse(0);
  }

  private void check(LocalCollection children, long instant) {
    Set<Long> found = new HashSet<>();
    try (Cursor cursor = children.query(Query.of(Filter.all(), Mode.MATCH))) {
      while (cursor.next()) {
        found.add(cursor.document().field("_id").asLong());
      }
    }
    acknowledged.forEach(
        (id, deadline) ->
            assertThat(found.contains(id))
                .as("child %d, which expires at %d, at %d", id, deadline, instant)
                .isEqualTo(deadline > instant));
    assertThat(children.usage().documents()).isEqualTo(found.size());
  }
}
