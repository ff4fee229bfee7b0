package dev.mayfly.cosmos.feed;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerFlag;
import dev.mayfly.cosmos.item.ItemForm;
import dev.mayfly.cosmos.item.Items;
import dev.mayfly.cosmos.item.KeyRange;
import dev.mayfly.cosmos.item.UnindexedFlag;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Endpoint;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Change.Cause;
import dev.mayfly.engine.Change.Kind;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.Charge;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import java.util.List;
import java.util.Optional;

/**
 * {@code GET .../docs} with {@code A-IM: Full-Fidelity Feed}: all versions of items and all
 * deletes, by clients or by time to live.
 *
 * <p>Starts now, or continues after a position. The first start enables pre- and post-images of the
 * container; other containers do not store them.
 */
public final class VersionFeed implements Endpoint {
  private static final int SLICE = 256;
  private static final int MAX_EXAMINED = 10_000;
  private static final int NOT_MODIFIED = 304;
  private static final long MILLIS = 1000;

  private final Items items;

  public VersionFeed(Items items) {
    this.items = items;
  }

  @Override
  public Reply run(Exchange exchange) {
    Container container = items.container(exchange);
    enableImages(container.collection());
    Changes changes = Changes.of(container.collection());
    Page page = new Page(container, exchange.request());
    long start =
        switch (Start.of(exchange.request())) {
          case Start.Now _ -> changes.end();
          case Start.After(long position) -> Math.min(position, changes.end());
          case Start.Beginning _, Start.Since _ ->
              throw CosmosException.wrong(
                  "All versions and deletes can be read only from now or from a continuation"
                      + " token. "
                      + Failures.OUTSIDE_RETENTION);
        };
    long reached =
        read(container, changes, KeyRange.of(exchange.request(), container), start, page);
    exchange.charge(Math.max(Charge.MISS, page.count() * Charge.MISS));
    boolean drained = page.count() == 0 && reached >= changes.end();
    Reply reply =
        drained
            ? Items.located(new Reply(NOT_MODIFIED), container, changes.end())
            : page.reply(changes.end());
    return reply.header(HeaderNames.ETAG, Start.etag(reached));
  }

  private static void enableImages(Collection collection) {
    if (collection.spec().feed().images() != ChangeImageMode.BOTH) {
      collection.alter(
          spec -> {
            FeedSpec feed = spec.feed();
            return spec.withFeed(
                new FeedSpec(ChangeImageMode.BOTH, feed.retentionMillis(), feed.maxBytes()));
          });
    }
  }

  private static long read(
      Container container, Changes changes, KeyRange range, long start, Page page) {
    long reached = start;
    int examined = 0;
    while (reached < changes.end() && !page.full() && examined < MAX_EXAMINED) {
      List<Change> batch = changes.read(reached, SLICE);
      for (Change change : batch) {
        if (page.full()) {
          return reached;
        }
        examined++;
        if (range.includes(container, change.key().partition())) {
          page.add(ItemForm.json(form(container, change)));
        }
        reached = change.position();
      }
      if (batch.isEmpty()) {
        reached = changes.end();
      }
    }
    return reached;
  }

  private static Document form(Container container, Change change) {
    DocumentWriter writer = Document.writer();
    boolean deleted = change.kind() == Kind.DELETE || change.kind() == Kind.EXPIRE;
    if (deleted) {
      writer.put("current", Document.EMPTY);
    } else {
      current(container, change).ifPresent(item -> writer.put("current", item));
    }
    writer.put("metadata", metadata(container, change));
    if (!change.before().isEmpty()) {
      writer.put("previous", UnindexedFlag.stripped(change.before()));
    }
    return writer.build();
  }

  /** Returns the item after the change; without its rid if another item has its id now. */
  private static Optional<Document> current(Container container, Change change) {
    Optional<StoredDocument> now =
        container
            .collection()
            .read(change.key())
            .filter(stored -> stored.birth() <= change.position());
    if (change.after().isEmpty()) {
      // the change was written before images were enabled
      return now.filter(stored -> stored.version() == change.position())
          .map(stored -> ItemForm.of(container, stored));
    }
    long birth = birth(container, change, now);
    StoredDocument then =
        new StoredDocument(change.after(), change.position(), birth, change.time(), Deadline.NEVER);
    return Optional.of(birth == 0 ? ItemForm.withoutRid(then) : ItemForm.of(container, then));
  }

  /**
   * Returns the birth number of the item of a change; 0 if unknown. In a container with renamed
   * items the id may belong to another item now.
   */
  private static long birth(Container container, Change change, Optional<StoredDocument> now) {
    boolean renamed = container.has(ContainerFlag.RENAMED);
    long born = change.kind() == Kind.INSERT && !renamed ? change.position() : 0;
    return now.filter(stored -> !renamed || stored.version() == change.position())
        .map(StoredDocument::birth)
        .orElse(born);
  }

  private static Document metadata(Container container, Change change) {
    DocumentWriter writer =
        Document.writer()
            .put("operationType", operation(change.kind()))
            .put("lsn", change.position())
            .put("crts", change.time() / MILLIS);
    if (change.kind() == Kind.EXPIRE) {
      writer.put("timeToLiveExpired", true);
    }
    if (change.cause() == Cause.CAP) {
      writer.put("mayflyEvicted", true);
    }
    if (change.cause() == Cause.PARENT) {
      writer.put("mayflyDeletedWithParent", true);
    }
    writer.put("id", change.key().id()).startDocument("partitionKey");
    List<FieldPath> paths = container.partitionKey().paths();
    for (int i = 0; i < paths.size(); i++) {
      writer.put(paths.get(i).toString(), change.key().partition().get(i));
    }
    return writer.end().build();
  }

  private static String operation(Kind kind) {
    return switch (kind) {
      case INSERT -> "create";
      case UPDATE, REPLACE -> "replace";
      case DELETE, EXPIRE -> "delete";
    };
  }
}
