package dev.mayfly.engine.crash;

import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Process that {@link BoundedKillTest} kills: writes groups of documents to a bounded collection
 * while the background sweeps. It prints the versions of each acknowledged group.
 */
public final class KilledEvictions {
  static final Namespace NAME = new Namespace("db", "latest");
  static final int LIMIT = 25;
  static final int LIMIT_BYTES = 5_000;
  static final String END = " .";

  private static final int IDS = 80;

  private KilledEvictions() {}

  private static CollectionSpec spec() {
    return CollectionSpec.mongo()
        .withDefaultTtl(TimeToLive.NEVER)
        .withLimits(LIMIT_BYTES, LIMIT)
        .withFeed(new CollectionSpec.FeedSpec(ChangeImageMode.BOTH, Long.MAX_VALUE >> 2, 1L << 40));
  }

  /** Arguments: a directory, the current time, a seed, and the number of the first group. */
  public static void main(String[] arguments) {
    ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
    Random random = new Random(Long.parseLong(arguments[2]));
    long group = Long.parseLong(arguments[3]);
    LocalEngine engine =
        LocalEngine.open(
            KilledWriter.open(Path.of(arguments[0])),
            clock,
            KilledWriter.settings(clock).withBackground(true));
    if (engine.find(NAME).isEmpty()) {
      engine.create(NAME, spec());
    }
    PrintStream out = System.out;
    LocalCollection latest = engine.collection(NAME);
    while (!out.checkError()) {
      clock.advance(Duration.ofMillis(random.nextInt(400)));
      engine.clockMoved();
      List<WriteOutcome> outcomes =
          latest.write(group(group++, random), Grouping.UNORDERED, Durability.LOGGED).outcomes();
      out.println("ack " + clock.now() + versions(outcomes) + END);
    }
  }

  private static List<Write> group(long number, Random random) {
    if (random.nextInt(6) == 0) {
      return List.of(new Write.Delete(DocumentKey.of(Value.of(random.nextInt(IDS)))));
    }
    List<Write> writes = new ArrayList<>();
    for (int i = random.nextInt(4); i >= 0; i--) {
      Document document =
          Document.writer()
              .put("_id", random.nextInt(IDS))
              .put("ttl", random.nextInt(4) == 0 ? -1 : random.nextInt(1, 30))
              .put("g", number)
              .put("pad", "x".repeat(random.nextInt(300)))
              .build();
      writes.add(random.nextBoolean() ? new Write.Insert(document) : new Write.Upsert(document));
    }
    return writes;
  }

  private static String versions(List<WriteOutcome> outcomes) {
    StringBuilder versions = new StringBuilder();
    for (WriteOutcome outcome : outcomes) {
      if (outcome instanceof WriteOutcome.Inserted(var after)) {
        versions.append(' ').append(after.version());
      } else if (outcome instanceof WriteOutcome.Updated(_, var after)) {
        versions.append(' ').append(after.version());
      }
    }
    return versions.toString();
  }
}
