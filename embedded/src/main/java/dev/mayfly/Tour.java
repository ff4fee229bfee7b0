package dev.mayfly;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.Usage;
import dev.mayfly.expiry.ManualClock;
import dev.mayfly.value.Document;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Tour of the Java API in three parts: a document that expires on time, a TTL change that is tried
 * first and undone, and expiry on disk with the system clock.
 */
public final class Tour {
  private static final DocumentKey ADAS = DocumentKey.of("ada", "s-1");
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);

  private final Consumer<String> out;

  Tour(Consumer<String> out) {
    this.out = out;
  }

  public static void main(String[] args) throws Exception {
    Tour tour = new Tour(IO::println);
    tour.aDocumentExpiresOnTime();
    tour.aRuleIsTriedAndUndone();
    Path directory = Files.createTempDirectory("mayfly-tour");
    try {
      tour.theRealClockDoesTheSame(directory);
    } finally {
      remove(directory);
    }
  }

  void aDocumentExpiresOnTime() throws InterruptedException {
    title("In memory, on a clock moved by hand: sessions live for 30 minutes");
    ManualClock clock = noon();
    try (Mayfly mayfly = Mayfly.inMemory(clock)) {
      CollectionSpec spec = CollectionSpec.cosmos("user").withDefaultTtl(30 * 60);
      Collection sessions = mayfly.create("web", "sessions", spec);

      sessions.insert(session("s-1", "ada"));
      StoredDocument stored = sessions.read(ADAS).orElseThrow();
      line(clock.now(), "insert", "s-1 of ada, deadline " + time(stored.deadline()));

      Usage due = sessions.expiry().forecast(clock.now() + Duration.ofHours(1).toMillis()).total();
      line(clock.now(), "forecast", documents(due) + " due within the hour");

      clock.advance(Duration.ofMinutes(30).minusMillis(1));
      line(clock.now(), "read", found(sessions));

      clock.advance(Duration.ofMillis(1));
      line(clock.now(), "read", found(sessions));
      line(clock.now(), "count", documents(sessions.usage()));

      mayfly.engine().clockMoved();
      line(clock.now(), "feed", changeAfter(sessions, stored.version()));
    }
  }

  void aRuleIsTriedAndUndone() {
    title("What if sessions lived for 10 minutes only?");
    ManualClock clock = noon();
    try (Mayfly mayfly = Mayfly.inMemory(clock)) {
      CollectionSpec spec =
          CollectionSpec.cosmos("user")
              .withTimeToLive(TimeToLive.NONE.withDefault(30 * 60).withGrace(60 * 60 * 1000));
      Collection sessions = mayfly.create("web", "sessions", spec);
      for (String user : List.of("ada", "bob", "cleo")) {
        sessions.insert(session("s-1", user));
      }
      line(clock.now(), "insert", documents(sessions.usage()) + " that live for 30 minutes");

      clock.advance(Duration.ofMinutes(20));
      Usage lost = sessions.expiry().whatIf(now -> now.withDefaultTtl(10 * 60));
      line(clock.now(), "what if", documents(lost) + " would expire at once");
      line(clock.now(), "count", documents(sessions.usage()) + ": a what-if changes nothing");

      sessions.alter(now -> now.withDefaultTtl(10 * 60));
      line(
          clock.now(), "alter", documents(sessions.usage()) + " left, by one write to the catalog");

      sessions.expiry().undo();
      line(clock.now(), "undo", documents(sessions.usage()) + ": the grace is an hour");
    }
  }

  void theRealClockDoesTheSame(Path directory) throws InterruptedException {
    title("On disk, on the real clock: sessions live for 2 seconds");
    try (Mayfly mayfly = Mayfly.open(directory)) {
      CollectionSpec spec = CollectionSpec.cosmos("user").withDefaultTtl(2);
      Collection sessions = mayfly.create("web", "sessions", spec);

      sessions.insert(session("s-1", "ada"));
      StoredDocument stored = sessions.read(ADAS).orElseThrow();
      line(stored.writtenAt(), "insert", "s-1 of ada, deadline " + time(stored.deadline()));
      line(mayfly.engine().now(), "read", found(sessions));

      long seen = stored.writtenAt();
      for (long now = seen; sessions.read(ADAS).isPresent(); now = mayfly.engine().now()) {
        seen = now;
        Thread.sleep(1);
      }
      line(seen, "read", "still there");
      line(mayfly.engine().now(), "read", "nothing");
      line(mayfly.engine().now(), "count", documents(sessions.usage()));
      line(mayfly.engine().now(), "feed", changeAfter(sessions, stored.version()));
    }
  }

  /** Waits for the sweep, which writes the expiry to the feed a moment after the deadline. */
  private static String changeAfter(Collection collection, long position)
      throws InterruptedException {
    FeedReader feed = collection.feeds().getFirst();
    if (!feed.await(position, PATIENCE)) {
      return "nothing yet";
    }
    Change change = feed.read(position, 1).getFirst();
    String id = change.key().id().asString();
    return change.kind() + " " + id + ", deadline " + time(change.deadline());
  }

  private static String found(Collection sessions) {
    return sessions.read(ADAS).map(stored -> stored.document().toString()).orElse("nothing");
  }

  private static Document session(String id, String user) {
    return Document.writer().put("id", id).put("user", user).build();
  }

  private static ManualClock noon() {
    return new ManualClock(Instant.parse("2030-06-01T12:00:00Z").toEpochMilli());
  }

  private static String documents(Usage usage) {
    return usage.documents() == 1 ? "1 document" : usage.documents() + " documents";
  }

  private static String time(long epochMillis) {
    return TIME.format(Instant.ofEpochMilli(epochMillis));
  }

  private void title(String text) {
    out.accept("");
    out.accept(text);
  }

  private void line(long at, String what, String result) {
    out.accept("  %s  %-8s  %s".formatted(time(at), what, result));
  }

  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
