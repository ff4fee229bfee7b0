package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET .../docs} with {@code A-IM: Incremental feed}: the latest version of each changed
 * item, in the order of the last changes; 304 if there are none.
 *
 * <p>Reads the engine's feed and returns an item at its last change; it skips earlier changes,
 * deletes and expiries. The engine trims its feed. A client that reads from before the retained
 * part gets a {@link ChangeFeedPage}, in the same order. Expired items are never returned.
 *
 * <p>If the client requests the format of all versions, the item and the metadata of its change are
 * separate objects.
 */
public final class ChangeFeed implements Endpoint {
  private static final int SLICE = 256;
  private static final int MAX_EXAMINED = 10_000;
  private static final int NOT_MODIFIED = 304;
  private static final String SEPARATE_METADATA = "2021-09-15";

  private final Items items;
  private final ChangeFeedCache changeFeedCache = new ChangeFeedCache();

  public ChangeFeed(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    return new Reading(exchange, container).reply();
  }

  /** One request. For one thread. */
  private final class Reading {
    private final Exchange exchange;
    private final Container container;
    private final KeyRange range;
    private final Page page;
    private final Changes changes;
    private final boolean separateMetadata;
    private int examined;

    Reading(Exchange exchange, Container container) {
      this.exchange = exchange;
      this.container = container;
      this.range = KeyRange.of(exchange.request(), container);
      this.page = new Page(container, exchange.request());
      this.changes = Changes.of(container.collection());
      this.separateMetadata =
          SEPARATE_METADATA.equals(exchange.request().header(HeaderNames.CHANGE_FEED_FORMAT));
    }

    Reply reply() {
      long reached = read(start(exchange.request()));
      exchange.charge(Math.max(0, Charge.MISS - exchange.charged()));
      boolean drained = page.count() == 0 && reached >= changes.end();
      Reply reply =
          drained
              ? Items.located(new Reply(NOT_MODIFIED), container, changes.end())
              : page.reply(changes.end());
      return reply.header(HeaderNames.ETAG, Start.etag(reached));
    }

    private long start(Request request) {
      return switch (Start.of(request)) {
        case Start.Beginning _ -> 0;
        case Start.Now _ -> changes.end();
        case Start.After(long position) -> Math.min(position, changes.end());
        case Start.Since(long instant) ->
            changes.trimmedSince(instant) ? firstSince(instant) : changes.before(instant);
      };
    }

    /** Returns the position before the first item that was last written at or after an instant. */
    private long firstSince(long instant) {
      long position = 0;
      while (position < changes.end()) {
        ChangeFeedPage changeFeedPage =
            changeFeedCache.at(container.collection(), position, changes.end());
        for (ChangeFeedPage.Entry entry : changeFeedPage.after(position)) {
          Optional<StoredDocument> stored = container.collection().peek(exchange, entry.key());
          if (stored.isPresent() && stored.get().writtenAt() >= instant) {
            return position;
          }
          position = entry.version();
        }
        position = changeFeedPage.to();
      }
      return position;
    }

    /** Fills the page and returns the position it has reached. */
    private long read(long start) {
      long reached = start;
      while (reached < changes.end() && !page.full() && examined < MAX_EXAMINED) {
        reached = changes.retainedAfter(reached) ? readFeed(reached) : catchUp(reached);
      }
      return reached;
    }

    private long readFeed(long after) {
      List<Change> batch;
      try {
        batch = changes.read(after, SLICE);
      } catch (EngineException failure) {
        if (failure.reason() == Reason.TRIMMED) {
          return catchUp(after);
        }
        throw failure;
      }
      long reached = after;
      for (Change change : batch) {
        if (page.full()) {
          return reached;
        }
        if (change.kind() != Kind.DELETE && change.kind() != Kind.EXPIRE) {
          add(change.key(), change.position());
        }
        reached = change.position();
      }
      return batch.isEmpty() ? changes.end() : reached;
    }

    private long catchUp(long after) {
      ChangeFeedPage changeFeedPage =
          changeFeedCache.at(container.collection(), after, changes.end());
      long reached = after;
      for (ChangeFeedPage.Entry entry : changeFeedPage.after(after)) {
        if (page.full() || examined >= MAX_EXAMINED) {
          return reached;
        }
        add(entry.key(), entry.version());
        reached = entry.version();
      }
      return Math.max(reached, Math.min(changeFeedPage.to(), changes.end()));
    }

    /** Adds an item if this was its last change and it is live. */
    private void add(DocumentKey key, long version) {
      examined++;
      if (!range.includes(container, key.partition())) {
        return;
      }
      Optional<StoredDocument> found = container.collection().peek(exchange, key);
      exchange.charge(
          found.map(stored -> Charge.read(stored.document().length())).orElse(Charge.MISS));
      if (found.isPresent() && found.get().version() == version) {
        page.add(
            separateMetadata
                ? ItemForm.changedWithMetadata(container, found.get())
                : ItemForm.changed(container, found.get()));
      }
    }
  }
}
