package dev.mayfly.engine.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.model.Audit;
import dev.mayfly.engine.shard.ShardOwner;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.Direction;
import dev.mayfly.store.Range;
import dev.mayfly.store.Scan;
import dev.mayfly.store.Space;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import dev.mayfly.value.testing.SeedExtension;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills a writing process repeatedly and checks that all acknowledged writes are stored.
 *
 * <p>Runs for {@code -Dkill.seconds}. The feed contains the committed changes; records, indexes,
 * lanes, usage and forecast must agree with it, and expired documents must have arrived at the
 * target of the action on expiry.
 */
@ExtendWith(SeedExtension.class)
final class KillTest {
  private static final int ROUNDS_PER_DIRECTORY = 6;
  private static final long GROUPS_PER_ROUND = 1L << 30;

  @TempDir private Path directory;

  private final Set<Long> writes = new HashSet<>();
  private final Set<String> deletes = new HashSet<>();
  private long now = 1_700_000_000_000L;
  private final ExpiryReceiver receiver = new ExpiryReceiver();
  private ExpiredDocuments expired = new ExpiredDocuments(Path.of(""), receiver, 0);
  private int directories;
  private long round;
  private long acknowledged;

  @Test
  void acknowledgedWritesSurviveAKill(Random random) throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    directories = random.nextInt(3);
    Thread timer =
        Thread.ofVirtual()
            .start(
                () -> {
                  LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(Long.getLong("kill.seconds", 20)));
                  over.countDown();
                });
    while (over.getCount() > 0) {
      Path data = directory.resolve("data" + round);
      expired = new ExpiredDocuments(data, receiver, directories++);
      writes.clear();
      deletes.clear();
      for (int i = 0; i < ROUNDS_PER_DIRECTORY && over.getCount() > 0; i++) {
        kill(data, random);
        examine(data, random);
        round++;
      }
    }
    timer.join();
    receiver.close();
    assertThat(acknowledged).as("groups that were acknowledged").isPositive();
  }

  /**
   * Runs a writing process and kills it after a random time; records the writes that it has
   * acknowledged.
   */
  private void kill(Path data, Random random) throws IOException, InterruptedException {
    try (KilledProcess process =
        KilledProcess.start(
            this::note,
            KilledWriter.class,
            data,
            now,
            random.nextLong(),
            round * GROUPS_PER_ROUND,
            Json.write(expired.action().toDocument()))) {
      if (random.nextInt(8) == 0) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(random.nextInt(1500)));
      } else {
        process.read(random.nextInt(2000));
      }
      process.kill();
    }
  }

  private void note(String line) {
    if (!line.startsWith("ack ") || !line.endsWith(KilledWriter.END)) {
      return;
    }
    String[] words = line.substring(4, line.length() - KilledWriter.END.length()).split(" ", -1);
    now = Math.max(now, Long.parseLong(words[0]));
    for (int i = 1; i < words.length; i++) {
      String what = words[i].substring(1);
      boolean fresh =
          words[i].startsWith("w") ? writes.add(Long.parseLong(what)) : deletes.add(what);
      assertThat(fresh).as("acknowledged twice: " + words[i]).isTrue();
    }
    acknowledged++;
  }

  private void examine(Path data, Random random) {
    ManualClock clock = new ManualClock(now);
    try (RocksStore store = KilledWriter.open(data);
        LocalEngine engine = LocalEngine.open(store, clock, expired.settings(clock))) {
      if (engine.find(KilledWriter.NAME).isEmpty()) {
        assertThat(writes).isEmpty();
        return;
      }
      LocalCollection things = engine.collection(KilledWriter.NAME);
      List<Change> feed = things.feeds().getFirst().read(FeedReader.BEGINNING, Integer.MAX_VALUE);
      clock.advance(Duration.ofMillis(latest(feed) - Math.min(now, latest(feed))));
      checkAcknowledged(feed);
      checkGroups(feed);
      checkRecords(engine, things, lives(feed));
      Audit.check(engine, things);
      checkNewVersion(things, feed);
      if (random.nextBoolean()) {
        engine.workUntilIdle();
        Audit.check(engine, things);
        List<Change> after = things.feeds().getFirst().read(0, Integer.MAX_VALUE);
        checkRecords(engine, things, lives(after));
        expired.check(engine, things, after);
      }
      now = engine.now();
    }
  }

  /** The process may have moved its clock further than it has printed. */
  private static long latest(List<Change> feed) {
    return feed.stream().mapToLong(Change::time).max().orElse(0);
  }

  private void checkAcknowledged(List<Change> feed) {
    Set<Long> written = new HashSet<>();
    Set<String> deleted = new HashSet<>();
    long position = 0;
    for (Change change : feed) {
      assertThat(change.position()).as("positions ascend").isGreaterThan(position);
      position = change.position();
      if (change.kind() == Kind.DELETE) {
        assertThat(deleted.add(KilledWriter.identity(change.before()))).isTrue();
      } else if (change.cause() == Cause.WRITE) {
        written.add(change.position());
      }
    }
    assertThat(written).as("acknowledged writes").containsAll(writes);
    assertThat(deleted).as("acknowledged deletes").containsAll(deletes);
  }

  /** Every group is stored completely or not at all, acknowledged or not. */
  private static void checkGroups(List<Change> feed) {
    Map<Long, List<Integer>> places = new HashMap<>();
    for (int i = 0; i < feed.size(); i++) {
      Change change = feed.get(i);
      if (change.kind() == Kind.INSERT || change.kind() == Kind.UPDATE) {
        places.computeIfAbsent(change.after().field("g").asLong(), _ -> new ArrayList<>()).add(i);
      }
    }
    long deletes = 0;
    for (Map.Entry<Long, List<Integer>> group : places.entrySet()) {
      List<Integer> at = group.getValue();
      Document last = feed.get(at.getLast()).after();
      assertThat(at).as("writes of group " + group.getKey()).hasSize(last.field("w").asInt());
      deletes += last.field("d").asInt();
    }
    // groups of several threads are interleaved in the feed
    assertThat(feed.stream().filter(change -> change.kind() == Kind.DELETE))
        .as("deletes of all groups")
        .hasSize(Math.toIntExact(deletes));
  }

  /** Returns the documents by the feed; checks that each is inserted and removed once, in time. */
  private static Map<DocumentKey, Change> lives(List<Change> feed) {
    Map<DocumentKey, Change> there = new HashMap<>();
    for (Change change : feed) {
      Change before = there.get(change.key());
      assertThat(before != null).as(change.toString()).isEqualTo(change.kind() != Kind.INSERT);
      if (change.kind() == Kind.EXPIRE && before != null) {
        assertThat(change.deadline()).isEqualTo(deadline(before));
        assertThat(change.time()).isGreaterThanOrEqualTo(change.deadline());
        assertThat(change.before()).isEqualTo(before.after());
      }
      switch (change.kind()) {
        case INSERT, UPDATE, REPLACE -> there.put(change.key(), change);
        case DELETE, EXPIRE -> there.remove(change.key());
      }
    }
    return there;
  }

  /** Returns the deadline of the document of a change, from its fields. */
  private static long deadline(Change written) {
    Document document = written.after();
    long own = document.field("ttl").asLong();
    long byTtl = own < 0 ? Long.MAX_VALUE : written.time() / 1000 * 1000 + own * 1000;
    long byDate = document.field("at").asDate() + KilledWriter.DATE_SECONDS * 1000;
    return Math.min(byTtl, byDate);
  }

  private static void checkRecords(
      LocalEngine engine, LocalCollection things, Map<DocumentKey, Change> there) {
    ShardOwner owner = things.owners().getFirst();
    int stored = 0;
    try (Scan scan = owner.shard().scan(Space.RECORDS, Range.all(), Direction.UP)) {
      while (scan.next()) {
        if (!owner.sweptLanes().covers(scan.value(), scan.key())) {
          stored++;
        }
      }
    }
    assertThat(stored).as("documents on disk").isEqualTo(there.size());
    there.forEach(
        (key, change) -> {
          boolean live = deadline(change) > engine.now();
          assertThat(things.read(key).isPresent()).as(change.toString()).isEqualTo(live);
          if (live) {
            StoredDocument found = things.read(key).orElseThrow();
            assertThat(found.document()).isEqualTo(change.after());
            assertThat(found.version()).isEqualTo(change.position());
            assertThat(found.deadline()).isEqualTo(deadline(change));
          }
        });
  }

  /** No version is used twice. */
  private void checkNewVersion(LocalCollection things, List<Change> feed) {
    Document document =
        Document.writer()
            .put("_id", -1)
            .put("n", 0)
            .put("u", -1)
            .put("at", Value.date(now + 1_000_000))
            .put("ttl", -1)
            .put("g", -1 - round)
            .put("k", 0)
            .put("w", 1)
            .put("d", 0)
            .build();
    things.write(List.of(new Write.Upsert(document)), Grouping.ATOMIC, Durability.SYNCED);
    long version = things.read(DocumentKey.of(Value.of(-1))).orElseThrow().version();
    long highest = feed.isEmpty() ? 0 : feed.getLast().position();
    assertThat(version).isGreaterThan(highest);
    assertThat(writes).allMatch(one -> one < version);
    writes.add(version);
  }
}
