package dev.mayfly.engine.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineSettings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.engine.archive.ArchiveSettings;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.engine.race.Crowd;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.store.rocksdb.RocksSettings;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Process that {@link KillTest} kills: several threads write random groups while the background
 * sweeps, builds and compacts. It prints every acknowledged group.
 *
 * <p>Every document contains the number of its group {@code g}, its number within the group {@code
 * k}, and the numbers of writes and deletes of the group, {@code w} and {@code d}. The deletes of a
 * group are between its first and its last write.
 */
public final class KilledWriter {
  static final Namespace NAME = new Namespace("db", "things");
  static final Namespace PAST = new Namespace("db", "past");
  static final long TTL_SECONDS = 20;
  static final long DATE_SECONDS = 5;
  static final String END = " .";

  private static final IndexSpec BY_N =
      IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n")));
  private static final int THREADS = 3;
  private static final int IDS = 300;
  private static final long GROUPS_PER_THREAD = 1 << 20;

  private final LocalEngine engine;
  private final ManualClock clock;
  private final PrintStream out;

  private KilledWriter(LocalEngine engine, ManualClock clock, PrintStream out) {
    this.engine = engine;
    this.clock = clock;
    this.out = out;
  }

  /**
   * Arguments: a directory, the current time, a seed, the number of the first group, and the action
   * on expiry as JSON.
   */
  public static void main(String[] arguments) throws Exception {
    ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
    long seed = Long.parseLong(arguments[2]);
    long firstGroup = Long.parseLong(arguments[3]);
    RocksStore store = open(Path.of(arguments[0]));
    OnExpire action = OnExpire.of(Json.parse(arguments[4], Limits.MONGO));
    EngineSettings settings = settings(clock, Path.of(arguments[0]), action);
    LocalEngine engine = LocalEngine.open(store, clock, settings.withBackground(true));
    if (engine.find(PAST).isEmpty()) {
      engine.create(PAST, CollectionSpec.mongo());
    }
    if (engine.find(NAME).isEmpty()) {
      engine.create(NAME, spec().withOnExpire(action));
    }
    KilledWriter writer = new KilledWriter(engine, clock, System.out);
    Crowd crowd = new Crowd();
    for (int i = 0; i < THREADS; i++) {
      long own = firstGroup + i * GROUPS_PER_THREAD;
      Random random = new Random(seed + i);
      crowd.worker(() -> writer.writeForever(own, random));
    }
    crowd.runOnPlatformThreads();
  }

  public static RocksStore open(Path directory) {
    return RocksStore.open(directory, RocksSettings.defaults().withCacheBytes(8 << 20));
  }

  static EngineSettings settings(ManualClock clock) {
    return EngineSettings.standard(clock::now).withBackground(false).withReclaimBytes(30_000);
  }

  /** The settings with what an action on expiry needs: a directory for files, its host. */
  static EngineSettings settings(ManualClock clock, Path data, OnExpire action) {
    List<String> hosts =
        action.target() instanceof OnExpire.Target.Post post
            ? List.of(post.authority())
            : List.of();
    return settings(clock)
        .withArchive(
            ArchiveSettings.STANDARD
                .withDirectory(data.resolveSibling(data.getFileName() + "-archive"))
                .withHosts(hosts));
  }

  static CollectionSpec spec() {
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withIndex(BY_N)
            .withIndex(
                IndexSpec.implicit("u_1", Part.ascending(FieldPath.of("u"))).withUnique(true))
            .withIndex(IndexSpec.implicit("at_1", Part.ascending(FieldPath.of("at"))))
            .withFeed(
                new CollectionSpec.FeedSpec(ChangeImageMode.BOTH, Long.MAX_VALUE >> 2, 1L << 40));
    return spec.withTimeToLive(
        spec.timeToLive().withDefault(TTL_SECONDS).withIndex("at_1", DATE_SECONDS));
  }

  private void writeForever(long firstGroup, Random random) {
    LocalCollection things = engine.collection(NAME);
    for (long group = firstGroup; !out.checkError(); group++) {
      List<Write> writes = group(group, random);
      Durability durability = random.nextInt(8) == 0 ? Durability.SYNCED : Durability.LOGGED;
      WriteResult reply = things.write(writes, Grouping.ATOMIC, durability);
      if (reply.complete()) {
        acknowledge(reply);
      }
      if (random.nextInt(20) == 0) {
        clock.advance(Duration.ofMillis(random.nextInt(1500)));
        engine.clockMoved();
      }
      if (random.nextInt(300) == 0) {
        things.alter(KilledWriter::toggled);
      }
    }
  }

  /** Drops an index, or creates and builds it, concurrently with everything else. */
  private static CollectionSpec toggled(CollectionSpec spec) {
    return spec.indexes().stream().anyMatch(index -> index.name().equals("n_1"))
        ? spec.withoutIndex("n_1")
        : spec.withIndex(BY_N);
  }

  private List<Write> group(long group, Random random) {
    int puts = random.nextInt(1, 4);
    int deletes = puts > 1 && random.nextInt(3) == 0 ? 1 : 0;
    List<Write> writes = new ArrayList<>();
    for (int k = 0; k < puts; k++) {
      Document document = document(group, k, puts, deletes, random);
      writes.add(
          switch (random.nextInt(4)) {
            case 0 -> new Write.Insert(document);
            case 1 -> new Write.Update(DocumentKey.of(document.field("_id")), _ -> document);
            default -> new Write.Upsert(document);
          });
      if (k == 0 && deletes > 0) {
        writes.add(new Write.Delete(DocumentKey.of(Value.of(random.nextInt(IDS)))));
      }
    }
    return writes;
  }

  private Document document(long group, int k, int puts, int deletes, Random random) {
    long now = clock.now();
    return Document.writer()
        .put("_id", random.nextInt(IDS))
        .put("n", random.nextInt(10))
        .put("u", random.nextInt(100_000))
        .put("at", Value.date(now + random.nextInt(-1000, 60_000)))
        .put("ttl", random.nextInt(4) == 0 ? -1 : random.nextInt(1, 40))
        .put("g", group)
        .put("k", k)
        .put("w", puts)
        .put("d", deletes)
        .put("pad", "x".repeat(random.nextInt(400)))
        .build();
  }

  /** Prints one line: the time and the outcome of each write. */
  private void acknowledge(WriteResult reply) {
    StringBuilder line = new StringBuilder("ack ").append(clock.now());
    for (WriteOutcome outcome : reply.outcomes()) {
      switch (outcome) {
        case WriteOutcome.Inserted(StoredDocument after) ->
            line.append(" w").append(after.version());
        case WriteOutcome.Updated(_, StoredDocument after) ->
            line.append(" w").append(after.version());
        case WriteOutcome.Deleted(Document before) -> line.append(" d").append(identity(before));
        case WriteOutcome.Unchanged _,
            WriteOutcome.Repeated _,
            WriteOutcome.Failed _,
            WriteOutcome.Skipped _ ->
            throw new IllegalStateException(outcome.toString());
      }
    }
    byte[] bytes = line.append(END).append('\n').toString().getBytes(UTF_8);
    synchronized (out) {
      out.write(bytes, 0, bytes.length);
      out.flush();
    }
  }

  /** Returns a value that identifies one version of a document. */
  static String identity(Document document) {
    return document.field("g").asLong() + "/" + document.field("k").asInt();
  }
}
