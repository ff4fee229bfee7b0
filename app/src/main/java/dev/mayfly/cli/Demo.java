package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.value.Document;
import java.io.PrintWriter;
import java.util.Random;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Shows documents expiring, in the terminal. */
@Command(
    name = "demo",
    description = "Watch documents expire for a minute: a picture of who will be gone, and when.")
final class Demo implements Callable<Integer> {
  private static final int FRAME_MILLIS = 200;
  private static final int MILLIS = 1000;
  private static final int LONGEST_LIFE = 20;
  private static final int PER_FRAME = 6;
  private static final int PER_BLOCK = 2;
  private static final int WIDEST = 50;

  @Option(names = "--seconds", paramLabel = "NUMBER", description = "How long it lasts [60].")
  private int seconds = 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final Random random = new Random(1);
  private long written;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    try (Mayfly mayfly = Mayfly.inMemory()) {
      Collection sessions =
          mayfly.create("demo", "sessions", CollectionSpec.mongo().withDefaultTtl(-1));
      long end = mayfly.engine().now() + (long) seconds * MILLIS;
      String up = "";
      while (mayfly.engine().now() < end) {
        write(sessions);
        String picture = picture(mayfly, sessions);
        out.print(up + picture);
        out.flush();
        up = "\u001b[" + picture.lines().count() + "A";
        Thread.sleep(FRAME_MILLIS);
      }
      out.println(
          Amounts.count(written)
              + " documents were written; each was gone at its deadline, to the millisecond.");
    }
    out.flush();
    return 0;
  }

  /** A few documents with lives of their own; they come in waves. */
  private void write(Collection sessions) {
    int some = random.nextInt(PER_FRAME + 1);
    for (int i = 0; i < some; i++) {
      int life = 1 + random.nextInt(LONGEST_LIFE);
      sessions.insert(Document.writer().put("_id", written++).put("ttl", life).build());
    }
  }

  private static String picture(Mayfly mayfly, Collection sessions) {
    long now = mayfly.engine().now();
    StringBuilder text = new StringBuilder();
    long before = 0;
    for (int second = 1; second <= LONGEST_LIFE; second++) {
      long until = sessions.forecast(now + (long) second * MILLIS).total().documents();
      line(text, "in %2d s ".formatted(second), until - before);
      before = until;
    }
    return text.append(
            "%d live, %d swept since the start%n"
                .formatted(sessions.usage().documents(), mayfly.engine().sweepStats().documents()))
        .toString();
  }

  private static void line(StringBuilder text, String label, long documents) {
    int blocks = (int) Math.min(WIDEST, Math.ceilDiv(documents, PER_BLOCK));
    text.append("\u001b[2K").append(label).append("\u2588".repeat(blocks));
    text.append(' ').append(documents).append(System.lineSeparator());
  }
}
