package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a process that writes to a bounded collection: a write and its evictions survive together
 * or not at all, and each eviction took the document that would have expired first.
 */
@ExtendWith(SeedExtension.class)
final class BoundedKillTest {
  private static final int KILLS = 4;

  @TempDir private Path directory;

  private final Set<Long> acknowledged = new HashSet<>();
  private long now = 1_700_000_000_000L;
  private int evictions;
  private int evictionsForBytes;

  @Test
  void aWriteAndItsEvictionsSurviveTogether(Random random) throws Exception {
    for (int i = 0; i < KILLS; i++) {
      kill(random, (long) i << 32);
      examine();
    }
    assertThat(acknowledged).isNotEmpty();
    assertThat(evictions).isPositive();
    assertThat(evictionsForBytes).isPositive().isLessThan(evictions);
  }

  private void kill(Random random, long firstGroup) throws IOException, InterruptedException {
    try (KilledProcess process =
        KilledProcess.start(
            this::note,
            KilledEvictions.class,
            directory.resolve("data"),
            now,
            random.nextLong(),
            firstGroup)) {
      process.read(100 + random.nextInt(1000));
      process.kill();
    }
  }

  private void note(String line) {
    if (!line.startsWith("ack ") || !line.endsWith(KilledEvictions.END)) {
      return;
    }
    String[] words = line.substring(4, line.length() - KilledEvictions.END.length()).split(" ", -1);
    now = Math.max(now, Long.parseLong(words[0]));
    for (int i = 1; i < words.length; i++) {
      acknowledged.add(Long.parseLong(words[i]));
    }
  }

  private void examine() {
    ManualClock clock = new ManualClock(now);
    try (RocksStore store = KilledWriter.open(directory.resolve("data"));
        LocalEngine engine = LocalEngine.open(store, clock, KilledWriter.settings(clock))) {
      LocalCollection latest = engine.collection(KilledEvictions.NAME);
      List<Change> feed = latest.feeds().getFirst().read(FeedReader.BEGINNING, Integer.MAX_VALUE);
      clock.advance(Duration.ofMillis(Math.max(feed.getLast().time() - now, 0)));
      assertThat(feed.stream().map(Change::position)).containsAll(acknowledged);
      Replay replay = new Replay();
      feed.forEach(replay::next);
      replay.endGroup();
      evictions = replay.evicted;
      evictionsForBytes = replay.evictedForBytes;
      replay.check(latest, engine.now());
      Audit.check(engine, latest);
      engine.workUntilIdle();
      Audit.check(engine, latest);
      replay.check(latest, engine.now());
      now = engine.now();
    }
  }

  /** The documents by the feed, which has the writes of each group before its evictions. */
  private static final class Replay {
    private static final Comparator<Change> ORDER =
        Comparator.comparingLong(Replay::deadline)
            .thenComparingInt(change -> change.key().id().asInt());

    private final Map<DocumentKey, Change> there = new HashMap<>();
    private final Set<DocumentKey> ours = new HashSet<>();
    private long group = -1;
    private long time;
    private int evicted;
    private int evictedForBytes;

    void next(Change change) {
      switch (change.kind()) {
        case INSERT, UPDATE, REPLACE -> {
          long number = change.after().field("g").asLong();
          if (number != group) {
            endGroup();
            group = number;
          }
          ours.add(change.key());
          there.put(change.key(), change);
          time = change.time();
        }
        case DELETE -> {
          if (change.cause() == Cause.CAP) {
            checkEviction(change);
            evicted++;
            evictedForBytes += live(time).size() <= LIMIT ? 1 : 0;
          } else {
            endGroup();
          }
          there.remove(change.key());
        }
        case EXPIRE -> {
          assertThat(change.kind()).isEqualTo(Kind.EXPIRE);
          there.remove(change.key());
        }
      }
    }

    private void checkEviction(Change eviction) {
      assertThat(overfull()).as("too many for %s", eviction).isTrue();
      DocumentKey first =
          live(time).stream()
              .min(
                  Comparator.comparing((Change change) -> ours.contains(change.key()))
                      .thenComparing(ORDER))
              .orElseThrow()
              .key();
      assertThat(eviction.key()).as("soonest to expire at %s", time).isEqualTo(first);
    }

    private boolean overfull() {
      List<Change> live = live(time);
      int bytes = live.stream().mapToInt(change -> change.after().length()).sum();
      return live.size() > LIMIT || bytes > KilledEvictions.LIMIT_BYTES;
    }

    void endGroup() {
      assertThat(overfull()).as("after group %s", group).isFalse();
      ours.clear();
    }

    void check(LocalCollection latest, long now) {
      assertThat(latest.usage().documents()).isEqualTo(live(now).size());
      for (Change change : live(now)) {
        assertThat(latest.read(change.key()).orElseThrow().document()).isEqualTo(change.after());
      }
    }

    private List<Change> live(long instant) {
      return there.values().stream().filter(change -> deadline(change) > instant).toList();
    }

    private static long deadline(Change written) {
      long ttl = written.after().field("ttl").asLong();
      return ttl < 0 ? Deadline.NEVER : written.time() / 1000 * 1000 + ttl * 1000;
    }

    private static final int LIMIT = KilledEvictions.LIMIT;
  }
}
