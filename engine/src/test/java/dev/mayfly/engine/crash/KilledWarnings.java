package dev.mayfly.engine.crash;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.ExpiryService.Warnings;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.local.LocalCollection;
import dev.mayfly.engine.local.LocalEngine;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/**
 * Process that {@link WarningsKillTest} kills: writes documents with short lives and reads warnings
 * before their expiry. It prints each write before and after it, each warning, and the position
 * after each call.
 */
public final class KilledWarnings {
  static final Namespace NAME = new Namespace("db", "carts");
  static final long WITHIN_MILLIS = 3_000;
  static final int IDS = 100;
  static final int PER_CALL = 7;
  static final String END = " .";
  static final long STEP_MILLIS = 100;
  private static final int MAX_TTL_SECONDS = 8;
  private static final int WRITES_PER_STEP = 3;

  private KilledWarnings() {}

  /**
   * Reads all warnings from a position on, and prints them.
   *
   * @return the position after them
   */
  static String read(LocalCollection carts, String position, PrintStream out) {
    String next = position;
    Warnings warnings;
    do {
      warnings = carts.expiry().warnings(next, WITHIN_MILLIS, PER_CALL);
      next = warnings.next();
      for (var due : warnings.documents()) {
        out.println("warning " + due.stored().document().field("v").asLong() + END);
      }
      out.println("position " + next + " " + (warnings.more() ? "more" : "all") + END);
    } while (warnings.more());
    return next;
  }

  /** Arguments: a directory, the current time, the number of the first write, the position. */
  public static void main(String[] arguments) {
    ManualClock clock = new ManualClock(Long.parseLong(arguments[1]));
    long number = Long.parseLong(arguments[2]);
    String position = arguments[3];
    Random random = new Random(number);
    LocalEngine engine =
        LocalEngine.open(
            KilledWriter.open(Path.of(arguments[0])),
            clock,
            KilledWriter.settings(clock).withBackground(true));
    if (engine.find(NAME).isEmpty()) {
      engine.create(NAME, CollectionSpec.mongo().withDefaultTtl(MAX_TTL_SECONDS));
    }
    LocalCollection carts = engine.collection(NAME);
    PrintStream out = System.out;
    while (!out.checkError()) {
      clock.advance(Duration.ofMillis(STEP_MILLIS));
      engine.clockMoved();
      out.println("now " + clock.now() + END);
      for (int i = 0; i < WRITES_PER_STEP; i++) {
        int id = random.nextInt(IDS);
        int ttl = 1 + random.nextInt(MAX_TTL_SECONDS);
        // the time of the last write has whole seconds
        long deadline = (clock.now() / 1000 + ttl) * 1000;
        out.println("write " + id + " " + number + " " + deadline + END);
        Document cart = Document.writer().put("_id", id).put("ttl", ttl).put("v", number).build();
        carts.write(List.of(new Write.Upsert(cart)), Grouping.ATOMIC, Durability.LOGGED);
        out.println("written " + number + END);
        number++;
      }
      position = read(carts, position, out);
    }
  }
}
