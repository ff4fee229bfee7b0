package dev.mayfly.engine.crash;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.ExpiryService.NewLife;
import dev.mayfly.engine.ExpiryService.Touch;
import dev.mayfly.engine.ExpiryService.Touched;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Process that {@link TouchKillTest} kills: extends the lives of the documents of a filter, again
 * and again, in calls that write one slice each. It prints each touch before and after it, and how
 * each call can be continued.
 */
public final class KilledTouches {
  static final Namespace NAME = new Namespace("db", "carts");
  static final long BY_MILLIS = 1_000_000;
  static final long TTL_SECONDS = 1_000_000;
  static final int COUNT = 2600;
  static final String END = " .";

  private KilledTouches() {}

  /** Every other document. */
  static Query filter() {
    return Query.of(Filter.equal(FieldPath.of("n"), Value.of(1)), Mode.MATCH);
  }

  /**
   * Extends lives in calls of one slice each.
   *
   * @param from where to continue, or {@link Touch#FROM_NOW}
   * @return where the next call continues, or {@link Touch#FROM_NOW} after the last one
   */
  static long extend(LocalCollection carts, long from) {
    AtomicInteger slices = new AtomicInteger();
    Touched touched =
        carts
            .expiry()
            .touch(
                filter(),
                Touch.of(new NewLife.Extended(BY_MILLIS)).continuing(from),
                () -> slices.getAndIncrement() > 0);
    return touched.complete() ? Touch.FROM_NOW : touched.began();
  }

  /** Arguments: a directory, the current time, and the number of the first touch. */
  public static void main(String[] arguments) {
    ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
    long number = Long.parseLong(arguments[2]);
    LocalEngine engine =
        LocalEngine.open(
            KilledWriter.open(Path.of(arguments[0])),
            clock,
            KilledWriter.settings(clock).withBackground(true));
    PrintStream out = System.out;
    if (engine.find(NAME).isEmpty()) {
      fill(engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(TTL_SECONDS)));
    }
    LocalCollection carts = engine.collection(NAME);
    while (!out.checkError()) {
      clock.advance(Duration.ofMillis(700));
      engine.clockMoved();
      out.println("touch " + number + END);
      long next = Touch.FROM_NOW;
      do {
        next = extend(carts, next);
        out.println((next == Touch.FROM_NOW ? "touched " + number : "next " + next) + END);
      } while (next != Touch.FROM_NOW);
      number++;
    }
  }

  private static void fill(LocalCollection carts) {
    List<Write> writes = new ArrayList<>();
    for (int i = 0; i < COUNT; i++) {
      writes.add(new Write.Insert(Document.writer().put("_id", i).put("n", i % 2).build()));
    }
    carts.write(writes, Grouping.ATOMIC, Durability.LOGGED);
  }
}
