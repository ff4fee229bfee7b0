package dev.mayfly.engine.crash;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
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
 * Process that {@link FollowerKillTest} kills: writes parents and children while the background
 * sweeps. It prints each child whose parent was live when it was written, with the deadline.
 */
public final class KilledFamily {
  static final Namespace PARENTS = new Namespace("db", "parents");
  static final Namespace CHILDREN = new Namespace("db", "children");
  static final String END = " .";

  private static final int IDS = 30;

  private KilledFamily() {}

  private static LocalCollection collection(
      LocalEngine engine, Namespace name, CollectionSpec spec) {
    if (engine.find(name).isEmpty()) {
      engine.create(name, spec);
    }
    return engine.collection(name);
  }

  /** Arguments: a directory, the current time, a seed, and the number of the first child. */
  public static void main(String[] arguments) {
    ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
    Random random = new Random(Long.parseLong(arguments[2]));
    long child = Long.parseLong(arguments[3]);
    LocalEngine engine =
        LocalEngine.open(
            KilledWriter.open(Path.of(arguments[0])),
            clock,
            KilledWriter.settings(clock).withBackground(true));
    LocalCollection parents =
        collection(engine, PARENTS, CollectionSpec.mongo().withDefaultTtl(-1));
    LocalCollection children =
        collection(
            engine,
            CHILDREN,
            CollectionSpec.mongo()
                .withIndex(IndexSpec.implicit("p_1", Part.ascending(FieldPath.of("p"))))
                .withExpiresWith(PARENTS.collection(), "p", false));
    PrintStream out = System.out;
    while (!out.checkError()) {
      clock.advance(Duration.ofMillis(random.nextInt(300)));
      engine.clockMoved();
      Value id = Value.of(random.nextInt(IDS));
      insert(parents, Document.writer().put("_id", id).put("ttl", 1 + random.nextInt(15)).build());
      Optional<StoredDocument> parent = parents.read(DocumentKey.of(id));
      for (int i = random.nextInt(4); i > 0 && parent.isPresent(); i--) {
        Document document = Document.writer().put("_id", child).put("p", id).build();
        children.write(List.of(new Write.Insert(document)), Grouping.ORDERED, Durability.LOGGED);
        out.println("ack " + clock.now() + " " + child + " " + parent.get().deadline() + END);
        child++;
      }
    }
  }

  /** Inserts a parent, unless one with its id is live. */
  private static void insert(LocalCollection parents, Document document) {
    try {
      parents.write(new Write.Insert(document));
    } catch (EngineException refused) {
      if (refused.reason() != EngineException.Reason.DUPLICATE_ID) {
        throw refused;
      }
    }
  }
}
