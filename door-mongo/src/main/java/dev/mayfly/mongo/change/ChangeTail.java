package dev.mayfly.mongo.change;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.value.Document;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * The events of all collections in a scope, in the order of their positions.
 *
 * <p>Positions are handed out before their changes can be read, so a feed may show a change while
 * another still owes an earlier one. What lies above the engine's settled position is therefore
 * left for later: nothing that comes can then lie below what was given out.
 */
final class ChangeTail implements Tail {
  private static final int READ = 256;

  private final Engine engine;
  private final WatchScope scope;
  private final ChangeImages images;
  private final long startAt;
  private final Deque<Document> ready = new ArrayDeque<>();

  private long seen;
  private long watched;
  private boolean ended;
  private Document current = Document.EMPTY;
  private ResumeToken last;

  /** A change and the collection it is of. */
  private record Told(Collection collection, Change change) {}

  /**
   * A tail behind a position.
   *
   * @param startAt epoch milliseconds of the first event; 0 for any
   */
  ChangeTail(Engine engine, WatchScope scope, ChangeImages images, long seen, long startAt) {
    this.engine = engine;
    this.scope = scope;
    this.images = images;
    this.seen = seen;
    this.startAt = startAt;
    this.last = new ResumeToken(seen, ResumeToken.Kind.CHANGE);
    this.watched = scope.single().flatMap(engine::find).map(Collection::id).orElse(0L);
  }

  @Override
  public boolean next() {
    if (ready.isEmpty() && !ended) {
      refill();
    }
    Document event = ready.poll();
    if (event == null) {
      return false;
    }
    current = event;
    last = ResumeToken.of(event.field("_id").asDocument());
    return true;
  }

  @Override
  public Document current() {
    return current;
  }

  private void refill() {
    long bound = engine.lastPosition();
    List<Told> told = new ArrayList<>();
    for (Collection collection : collections()) {
      collection.settle();
      for (FeedReader feed : collection.feeds()) {
        if (feed.end() > seen) {
          List<Change> changes = feed.read(seen, READ);
          changes.forEach(change -> told.add(new Told(collection, change)));
          bound = changes.size() >= READ ? Math.min(bound, changes.getLast().position()) : bound;
        }
      }
    }
    told.sort(Comparator.comparingLong(one -> one.change().position()));
    for (Told one : told) {
      if (one.change().position() <= bound && started(one.change())) {
        ready.add(images.event(one.collection(), one.change()));
      }
    }
    seen = Math.max(seen, bound);
    if (ready.isEmpty()) {
      last = new ResumeToken(seen, ResumeToken.Kind.CHANGE);
    }
  }

  private boolean started(Change change) {
    return change.time() >= startAt;
  }

  /** The collections to look at; notices when the one that is watched is gone. */
  private List<Collection> collections() {
    Optional<Namespace> single = scope.single();
    if (single.isEmpty()) {
      return engine.namespaces().stream()
          .filter(scope::includes)
          .flatMap(namespace -> engine.find(namespace).stream())
          .toList();
    }
    Optional<Collection> found = engine.find(single.get());
    if (watched == 0) {
      watched = found.map(Collection::id).orElse(0L);
    } else if (found.isEmpty() || found.get().id() != watched) {
      end(single.get());
      return List.of();
    }
    return found.map(List::of).orElse(List.of());
  }

  private void end(Namespace namespace) {
    ended = true;
    long now = engine.now();
    ready.add(Event.dropped(namespace, now, seen));
    ready.add(Event.invalidated(now, seen));
  }

  /** Changes of other collections wake it too: it goes on waiting for what is left of the time. */
  @Override
  public boolean await(long nanos) {
    try {
      long left = nanos;
      while (ready.isEmpty() && !ended && left > 0) {
        left = engine.awaitChange(seen, left);
        refill();
      }
      return !ready.isEmpty();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Override
  public boolean ended() {
    return ended && ready.isEmpty();
  }

  @Override
  public Optional<Document> resumeToken() {
    return Optional.of(last.toDocument());
  }

  @Override
  public void close() {
    ready.clear();
    ended = true;
  }
}
