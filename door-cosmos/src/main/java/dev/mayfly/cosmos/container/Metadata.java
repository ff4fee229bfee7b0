package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.ResourceNumber;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Stored resources that are neither containers nor items: databases, users, permissions, offers,
 * scripts. The key is the link, such as {@code dbs/sales/users/ann}. One collection per engine;
 * writes are synced. Safe for many threads.
 */
public final class Metadata {
  /** Prefix of the engine's database names; not a valid name of a database. */
  public static final String PREFIX = "cosmos:";

  private static final Namespace NAMESPACE = new Namespace(PREFIX, "metadata");
  private static final FieldPath ID = FieldPath.of("id");
  private static final String COUNTER = "counter";
  private static final String NUMBER = "number";
  private static final String BODY = "body";
  private static final long MILLIS = 1000;

  private final Collection collection;
  private final int cell;

  /**
   * One resource.
   *
   * @param link address with names
   * @param number {@link ResourceNumber}: unique among all resources, never reused
   * @param seconds epoch seconds of the last write
   */
  public record Entry(String link, int number, long seconds, long version, Document body) {
    private static Entry of(StoredDocument stored) {
      Document document = stored.document();
      return new Entry(
          document.field("id").asString(),
          document.field(NUMBER).asInt(),
          stored.writtenAt() / MILLIS,
          stored.version(),
          document.field(BODY).asDocument());
    }

    /** Returns the last segment of the link. */
    public String id() {
      return link.substring(link.lastIndexOf('/') + 1);
    }

    public String etag() {
      return Etag.of(version);
    }
  }

  /**
   * @param cell number of the cell whose engine it is
   */
  public Metadata(Engine engine, int cell) {
    this.collection =
        engine.find(NAMESPACE).orElseGet(() -> engine.create(NAMESPACE, CollectionSpec.cosmos()));
    this.cell = cell;
  }

  /** Whether an engine has metadata. */
  public static boolean isIn(Engine engine) {
    return engine.find(NAMESPACE).isPresent();
  }

  public Optional<Entry> find(String link) {
    return collection.read(DocumentKey.of(link)).map(Entry::of);
  }

  /**
   * Returns a resource.
   *
   * @throws CosmosException 404
   */
  public Entry entry(String link) {
    return find(link).orElseThrow(CosmosException::notFound);
  }

  /**
   * Creates a resource.
   *
   * @throws CosmosException 409
   */
  public Entry create(String link, Document body) {
    try {
      write(new Write.Insert(document(link, nextNumber(), body)));
    } catch (EngineException failure) {
      throw failure.reason() == Reason.DUPLICATE_ID ? CosmosException.exists() : failure;
    }
    return entry(link);
  }

  /**
   * Replaces the body of a resource.
   *
   * @param version required version, or {@link Write#ANY_VERSION}
   * @throws CosmosException 404, 412
   */
  public Entry replace(Entry old, Document body, long version) {
    try {
      write(new Write.Replace(document(old.link(), old.number(), body), version));
    } catch (EngineException failure) {
      throw translated(failure);
    }
    return entry(old.link());
  }

  /**
   * Replaces a resource and renames it together with the resources below it.
   *
   * @param link new address, with the same owner
   * @param version required version, or {@link Write#ANY_VERSION}
   * @throws CosmosException 404, 409, 412
   */
  public Entry rename(Entry old, String link, Document body, long version) {
    List<Write> writes = new ArrayList<>();
    writes.add(new Write.Delete(DocumentKey.of(old.link()), version));
    writes.add(new Write.Insert(document(link, old.number(), body)));
    for (Entry child : within(old.link() + "/")) {
      String moved = link + child.link().substring(old.link().length());
      writes.add(new Write.Delete(DocumentKey.of(child.link())));
      writes.add(new Write.Insert(document(moved, child.number(), child.body())));
    }
    for (WriteOutcome outcome : write(writes).outcomes()) {
      if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
        throw failure.reason() == Reason.DUPLICATE_ID
            ? CosmosException.exists()
            : translated(failure);
      }
    }
    return entry(link);
  }

  private static RuntimeException translated(EngineException failure) {
    return switch (failure.reason()) {
      case NOT_FOUND -> CosmosException.notFound();
      case VERSION_MISMATCH -> Failures.preconditionFailed();
      default -> failure;
    };
  }

  /** Deletes a resource and everything below it. */
  public void delete(String link) {
    for (Entry entry : within(link + "/")) {
      remove(entry.link());
    }
    remove(link);
  }

  private void remove(String link) {
    try {
      write(new Write.Delete(DocumentKey.of(link)));
    } catch (EngineException failure) {
      if (failure.reason() != Reason.NOT_FOUND) {
        throw failure;
      }
    }
  }

  /** Returns the resources of a feed such as {@code dbs/sales/users/}, ordered by id. */
  public List<Entry> children(String feed) {
    return within(feed).stream()
        .filter(entry -> entry.link().indexOf('/', feed.length()) < 0)
        .toList();
  }

  private List<Entry> within(String prefix) {
    List<Entry> found = new ArrayList<>();
    Query query = Query.of(new Filter.Prefix(ID, prefix), Mode.SQL);
    try (Cursor cursor = collection.query(query)) {
      while (cursor.next()) {
        found.add(Entry.of(cursor.current()));
      }
    }
    found.sort(java.util.Comparator.comparing(Entry::link));
    return found;
  }

  private static Document document(String link, int number, Document body) {
    return Document.writer().put("id", link).put(NUMBER, number).put(BODY, body).build();
  }

  private synchronized int nextNumber() {
    int last =
        collection
            .read(DocumentKey.of(COUNTER))
            .map(stored -> stored.document().field(NUMBER).asInt())
            .orElse(0);
    write(new Write.Upsert(document(COUNTER, last + 1, Document.EMPTY)));
    return new ResourceNumber(cell, last + 1).value();
  }

  private WriteOutcome write(Write write) {
    return write(List.of(write)).only();
  }

  private WriteResult write(List<Write> writes) {
    return collection.write(writes, Grouping.ATOMIC, Durability.SYNCED);
  }
}
