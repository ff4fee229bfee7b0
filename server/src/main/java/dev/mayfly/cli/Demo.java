package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.cli.demo.DemoPicture;
import dev.mayfly.cli.demo.DemoSessions;
import dev.mayfly.value.Document;
import dev.mayfly.value.Json;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Command {@code demo}: shows documents that expire. Draws an animation in a terminal, otherwise
 * prints a line per second; with {@code --json} prints one object at the end.
 */
@Command(name = "demo", description = "Watch documents expire for a minute: how many, and when.")
final class Demo implements Callable<Integer> {
  private static final int FRAME_MILLIS = 200;
  private static final int FRAMES_PER_LINE = 5;
  private static final long MILLIS = 1000;

  @Option(names = "--seconds", paramLabel = "NUMBER", description = "Duration [60].")
  private int seconds = 60;

  @Spec private CommandSpec spec = CommandSpec.create();

  private boolean ended;

  @Override
  public Integer call() throws InterruptedException {
    if (seconds < 1) {
      throw CommandFailure.usage("--seconds must be at least 1.");
    }
    try (Mayfly mayfly = Mayfly.inMemory()) {
      DemoSessions sessions = new DemoSessions(mayfly);
      Thread interrupted = Thread.ofPlatform().unstarted(() -> end(sessions));
      Runtime.getRuntime().addShutdownHook(interrupted);
      run(sessions);
      end(sessions);
      Runtime.getRuntime().removeShutdownHook(interrupted);
    }
    return 0;
  }

  private void run(DemoSessions sessions) throws InterruptedException {
    boolean terminal =
        Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    DemoPicture picture = new DemoPicture(CommandLine.Help.Ansi.AUTO.enabled());
    long begin = sessions.now();
    long end = begin + seconds * MILLIS;
    for (int frame = 0; sessions.now() < end; frame++) {
      sessions.write();
      synchronized (this) {
        sessions.check();
        if (ended) {
          return;
        }
        if (!json() && terminal) {
          out().print(picture.next(sessions));
        } else if (!json() && frame % FRAMES_PER_LINE == 0) {
          out().println(line((sessions.now() - begin) / MILLIS, sessions.figures()));
        }
        out().flush();
      }
      Thread.sleep(FRAME_MILLIS);
    }
  }

  /** Prints the summary once: at the end, or on Ctrl-C. */
  private synchronized void end(DemoSessions sessions) {
    if (ended) {
      return;
    }
    ended = true;
    sessions.check();
    DemoSessions.Figures figures = sessions.figures();
    out().println(json() ? Json.write(object(figures)) : sentence(figures));
    out().flush();
  }

  private static String line(long second, DemoSessions.Figures figures) {
    return "%3d s: %d written, %d live, %d expired"
        .formatted(second, figures.written(), figures.live(), figures.expired());
  }

  private static Document object(DemoSessions.Figures figures) {
    return Document.writer()
        .put("written", figures.written())
        .put("live", figures.live())
        .put("expired", figures.expired())
        .put("late", figures.late())
        .put("early", figures.early())
        .build();
  }

  private static String sentence(DemoSessions.Figures figures) {
    return ("%s documents were written: %s expired, %s are still live. %s was visible after its"
            + " deadline, %s was missing before it.")
        .formatted(
            Amounts.count(figures.written()),
            Amounts.count(figures.expired()),
            Amounts.count(figures.live()),
            figures.late() == 0 ? "None" : Amounts.count(figures.late()),
            figures.early() == 0 ? "none" : Amounts.count(figures.early()));
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private boolean json() {
    return OutputOptions.of(spec).json();
  }
}
