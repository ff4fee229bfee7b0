package dev.mayfly.engine.crash;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * Process that {@link SlidingKillTest} kills: reads documents of a collection with a sliding rule
 * while the background persists touches and sweeps. It prints each read before and after it.
 */
public final class KilledSessions {
  static final Namespace NAME = new Namespace("db", "sessions");
  static final long TTL_MILLIS = 100_000;
  static final long SLACK_MILLIS = 5_000;
  static final int IDS = 40;

  private KilledSessions() {}

  static CollectionSpec spec() {
    return CollectionSpec.mongo()
        .withIndex(IndexSpec.implicit("n_1", Part.ascending(FieldPath.of("n"))))
        .withTimeToLive(
            TimeToLive.NONE.withDefault(TTL_MILLIS / 1000).withSliding(TimeToLive.PROPERTY_RULE));
  }

  /** Arguments: a directory, the current time, and a seed. */
  public static void main(String[] arguments) {
    ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
    Random random = new Random(Long.parseLong(arguments[2]));
    LocalEngine engine =
        LocalEngine.open(
            KilledWriter.open(Path.of(arguments[0])),
            clock,
            KilledWriter.settings(clock).withBackground(true));
    if (engine.find(NAME).isEmpty()) {
      engine.create(NAME, spec());
    }
    PrintStream out = System.out;
    LocalCollection sessions = engine.collection(NAME);
    while (!out.checkError()) {
      int id = random.nextInt(IDS);
      clock.advance(Duration.ofMillis(random.nextInt(500)));
      engine.clockMoved();
      String use = clock.now() + " " + id;
      out.println("use " + use);
      Optional<?> found = sessions.read(DocumentKey.of(Value.of(id)));
      if (found.isEmpty()) {
        Document session = Document.writer().put("_id", id).put("n", id % 7).build();
        sessions.write(List.of(new Write.Insert(session)), Grouping.ATOMIC, Durability.LOGGED);
      }
      out.println("used " + use);
    }
  }
}
