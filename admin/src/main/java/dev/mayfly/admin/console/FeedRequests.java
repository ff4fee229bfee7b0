package dev.mayfly.admin.console;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Change feed for the live view: the changes after a position, of one collection or of all that the
 * user may read. A request may wait for changes, on a virtual thread.
 */
final class FeedRequests {
  private static final int MOST = 1_000;
  private static final int STANDARD = 200;
  private static final int READ = 256;
  private static final int MAX_WAIT_MILLIS = 20_000;
  private static final String NOW = "now";
  private static final String OLDEST = "oldest";

  /** The wait ends this long after the browser has left. */
  private static final long SLICE_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final Engine engine;

  FeedRequests(Engine engine) {
    this.engine = engine;
  }

  /** A change and its collection. */
  private record Found(Collection collection, Change change) {}

  /** One reply being built. */
  private static final class Page {
    private final List<Found> found = new ArrayList<>();
    private long after;
    private boolean trimmed;
  }

  /** Reads the feed of the collection in the path. */
  Document one(Call call) {
    Collection collection = engine.collection(call.namespace());
    return answer(call, () -> List.of(collection));
  }

  /** Reads the feeds of all collections that the user may read. */
  Document all(Call call) {
    return answer(call, () -> readable(call.caller()));
  }

  private List<Collection> readable(Caller caller) {
    return engine.withFeeds().stream()
        .filter(collection -> !Namespaces.isInternal(collection.namespace()))
        .filter(collection -> caller.may("changeStream", collection.namespace()))
        .toList();
  }

  /** Collections to read, found again after each wait. */
  private interface Sources {
    List<Collection> collections();
  }

  private Document answer(Call call, Sources sources) {
    Set<String> kinds = new HashSet<>(call.texts("kinds", Change.Kind.values().length));
    int most = call.number("most", STANDARD, 1, MOST);
    long left = TimeUnit.MILLISECONDS.toNanos(call.number("waitMillis", 0, 0, MAX_WAIT_MILLIS));
    Page page = new Page();
    page.after = start(call.text("after", NOW), sources);
    readOn(page, sources, kinds, most, call);
    while (page.found.isEmpty() && left > 0 && !call.stopped().getAsBoolean()) {
      long slice = Math.min(left, SLICE_NANOS);
      left = left - slice + await(page.after, slice);
      readOn(page, sources, kinds, most, call);
    }
    return reply(page, call.flag("images"));
  }

  private long start(String after, Sources sources) {
    return switch (after) {
      case NOW -> engine.lastPosition();
      case OLDEST ->
          sources.collections().stream()
              .flatMap(collection -> collection.feeds().stream())
              .mapToLong(FeedReader::oldest)
              .min()
              .orElse(FeedReader.BEGINNING);
      default -> position(after);
    };
  }

  private static long position(String after) {
    try {
      return Long.parseLong(after);
    } catch (NumberFormatException invalid) {
      throw Refusal.wrong("'after' must be the 'after' of a reply, \"now\" or \"oldest\".");
    }
  }

  /** Waits for a change; returns how much of the time is left, at least 0. */
  private long await(long after, long nanos) {
    try {
      return Math.max(0, engine.awaitChange(after, nanos));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw Refusal.of(503, "The server is stopping.");
    }
  }

  /** Reads until there is something to return, or nothing left to read. */
  private void readOn(Page page, Sources sources, Set<String> kinds, int most, Call call) {
    do {
      read(page, sources, kinds, most);
    } while (page.found.isEmpty()
        && page.after < engine.lastPosition()
        && !call.stopped().getAsBoolean());
  }

  private void read(Page page, Sources sources, Set<String> kinds, int most) {
    long bound = engine.lastPosition();
    List<Found> read = new ArrayList<>();
    for (Collection collection : sources.collections()) {
      collection.settle();
      for (FeedReader feed : collection.feeds()) {
        bound = Math.min(bound, read(collection, feed, page, read));
      }
    }
    read.sort(Comparator.comparingLong(one -> one.change().position()));
    for (Found one : read) {
      long position = one.change().position();
      // changes of one position belong together
      boolean full = page.found.size() >= most && position != page.after;
      if (position > bound || full) {
        bound = Math.min(bound, page.after);
        break;
      }
      page.after = position;
      if (kinds.isEmpty() || kinds.contains(word(one.change().kind()))) {
        page.found.add(one);
      }
    }
    page.after = Math.max(page.after, bound);
  }

  /** Adds the changes of a feed; returns the position up to which they are complete. */
  private static long read(Collection collection, FeedReader feed, Page page, List<Found> read) {
    long after = page.after;
    if (feed.end() <= after) {
      return Long.MAX_VALUE;
    }
    List<Change> changes;
    try {
      changes = feed.read(after, READ);
    } catch (EngineException trimmed) {
      if (trimmed.reason() != EngineException.Reason.TRIMMED) {
        throw trimmed;
      }
      page.trimmed = true;
      changes = feed.read(feed.oldest(), READ);
    }
    changes.forEach(change -> read.add(new Found(collection, change)));
    return changes.size() >= READ ? changes.getLast().position() : Long.MAX_VALUE;
  }

  private static String word(Change.Kind kind) {
    return kind.name().toLowerCase(Locale.ROOT);
  }

  private Document reply(Page page, boolean images) {
    DocumentWriter reply =
        Document.writer()
            .put("now", Value.date(engine.now()))
            .put("after", Long.toString(page.after))
            .put("trimmed", page.trimmed)
            .startArray("changes");
    for (Found found : page.found) {
      write(found, images, reply.startDocument());
      reply.end();
    }
    return reply.end().build();
  }

  private static void write(Found found, boolean images, DocumentWriter reply) {
    Change change = found.change();
    Dialect dialect = found.collection().spec().dialect();
    Namespace namespace = found.collection().namespace();
    reply
        .put("position", Long.toString(change.position()))
        .put("at", Value.date(change.time()))
        .put("kind", word(change.kind()))
        .put("cause", change.cause().name().toLowerCase(Locale.ROOT))
        .put("database", namespace.database())
        .put("collection", namespace.collection())
        .put("key", Texts.of(dialect, change.key()));
    if (change.kind() == Change.Kind.EXPIRE && change.deadline() != Deadline.NEVER) {
      reply
          .put("deadline", Value.date(change.deadline()))
          .put("lateMillis", Math.max(0, change.time() - change.deadline()));
    }
    if (images && !change.before().isEmpty()) {
      reply.put("before", Texts.of(dialect, change.before()));
    }
    if (images && !change.after().isEmpty()) {
      reply.put("after", Texts.of(dialect, change.after()));
    }
  }
}
