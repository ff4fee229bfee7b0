package dev.mayfly.cli.demo;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Documents of the demo, each with its own deadline. Checks that each is visible before its
 * deadline and absent after it.
 */
public final class DemoSessions {
  static final int LONGEST_MILLIS = 20_000;

  private static final int MAX_PER_FRAME = 6;

  private final Mayfly mayfly;
  private final Collection collection;
  private final Random random = new Random(1);
  private final List<Session> watched = new ArrayList<>();
  private long written;
  private long expired;
  private long late;
  private long early;

  /** A document and its deadline. */
  private record Session(long id, long deadline) {}

  /**
   * Counters at one instant.
   *
   * @param late how often a document was visible after its deadline
   * @param early how often a document was missing before its deadline
   */
  public record Figures(long written, long live, long expired, long late, long early) {}

  public DemoSessions(Mayfly mayfly) {
    this.mayfly = mayfly;
    CollectionSpec spec =
        CollectionSpec.mongo()
            .withIndex(IndexSpec.implicit("until", Part.ascending(FieldPath.of("until"))))
            .withTimeToLive(TimeToLive.NONE.withIndex("until", 0));
    this.collection = mayfly.create("demo", "sessions", spec);
  }

  public long now() {
    return mayfly.engine().now();
  }

  /** Inserts one to six documents. */
  public void write() {
    int count = 1 + random.nextInt(MAX_PER_FRAME);
    for (int i = 0; i < count; i++) {
      Session session = new Session(written, now() + 1 + random.nextInt(LONGEST_MILLIS));
      collection.insert(
          Document.writer()
              .put("_id", session.id)
              .put("until", Value.date(session.deadline))
              .build());
      watched.add(session);
      written++;
    }
  }

  /** Reads every document and compares the result with its deadline. */
  public void check() {
    List<Session> gone = new ArrayList<>();
    for (Session session : watched) {
      long before = now();
      boolean seen = collection.read(DocumentKey.of(Value.of(session.id))).isPresent();
      late += seen && session.deadline <= before ? 1 : 0;
      early += !seen && session.deadline > now() ? 1 : 0;
      if (!seen) {
        gone.add(session);
      }
    }
    watched.removeAll(gone);
    expired += gone.size();
  }

  /** Number of documents that expire in each of the next spans. */
  public long[] due(int spans, int spanMillis) {
    long now = now();
    long[] due = new long[spans];
    for (Session session : watched) {
      long span = Math.max(0, session.deadline - now) / spanMillis;
      due[(int) Math.min(spans - 1, span)]++;
    }
    return due;
  }

  public Figures figures() {
    return new Figures(written, watched.size(), expired, late, early);
  }
}
