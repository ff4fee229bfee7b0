package dev.mayfly.cosmos.attachment;

import dev.mayfly.cosmos.attachment.Attachment.Kind;
import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.Containers;
import dev.mayfly.cosmos.container.Database;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.engine.Usage;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.WriteResult;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Attachments and their media, in a collection next to that of the items. One per engine.
 *
 * <p>The key begins with the birth number of the item. Every access reads the item first, so the
 * attachments of an item are gone the instant it is deleted or expires, and a later item with the
 * same id has none of them. {@link #collect} deletes the unreachable ones later.
 */
public final class AttachmentStore {
  private static final CollectionSpec SPEC =
      CollectionSpec.cosmos(Attachment.ITEM, Attachment.KIND);
  private static final String TYPE = "type";
  private static final String BYTES = "bytes";
  private static final byte GENERIC = 0;
  private static final int MOST = 1_000;

  private final Containers containers;
  private final Durability durability;

  /** Serializes writes, which read before they write; attachments are few. */
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * @param durability of writes when they are acknowledged
   */
  public AttachmentStore(Containers containers, Durability durability) {
    this.containers = containers;
    this.durability = durability;
  }

  /** Result of a write. */
  record Written(Attachment attachment, boolean created, double charge) {}

  Optional<Attachment> find(Owner owner, String id) {
    return containers
        .annex(owner.container())
        .flatMap(annex -> annex.read(key(owner, Kind.DESCRIPTION, id)))
        .map(stored -> Attachment.of(owner, stored));
  }

  /** Returns all attachments of an item, ordered by id. */
  List<Attachment> all(Owner owner) {
    Optional<Collection> annex = containers.annex(owner.container());
    return annex.isEmpty() ? List.of() : all(owner, annex.get());
  }

  private static List<Attachment> all(Owner owner, Collection annex) {
    List<Attachment> all = new ArrayList<>();
    try (Cursor cursor = annex.records(place(owner.birth(), Kind.DESCRIPTION))) {
      while (cursor.next()) {
        all.add(Attachment.of(owner, cursor.current()));
      }
    }
    return all;
  }

  /** Returns the attachment with a rid, if its item is live. */
  Optional<Attachment> find(Rid rid) {
    Optional<Container> container = containers.container(rid);
    Optional<Collection> annex = container.flatMap(containers::annex);
    if (annex.isEmpty()) {
      return Optional.empty();
    }
    try (Cursor cursor = annex.get().records(place(rid.number(), Kind.DESCRIPTION))) {
      while (cursor.next()) {
        StoredDocument stored = cursor.current();
        Owner owner = Attachment.owner(container.get(), stored.document());
        Attachment one = Attachment.of(owner, stored);
        if (one.number() == rid.attachmentNumber()) {
          return owner.lives() ? Optional.of(one) : Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the media of an attachment. */
  Optional<Content> content(Attachment attachment) {
    Owner owner = attachment.owner();
    return containers
        .annex(owner.container())
        .filter(_ -> attachment.uploaded())
        .flatMap(annex -> annex.read(key(owner, Kind.CONTENT, attachment.id())))
        .map(StoredDocument::document)
        .map(kept -> new Content(kept.field(BYTES).asBinary(), kept.field(TYPE).asString()));
  }

  private static List<Value> place(long birth, Kind kind) {
    return List.of(Value.of(birth), kind.value());
  }

  private static DocumentKey key(Owner owner, Kind kind, String id) {
    return new DocumentKey(place(owner.birth(), kind), Value.of(id));
  }

  /**
   * Creates an attachment.
   *
   * @throws CosmosException 409; 403 if the item has too many
   */
  Written create(Owner owner, Document body, Optional<Content> content) {
    lock.lock();
    try {
      if (find(owner, id(body)).isPresent()) {
        throw CosmosException.exists();
      }
      return put(owner, Optional.empty(), body, content, Write.ANY_VERSION);
    } finally {
      lock.unlock();
    }
  }

  /** Creates or replaces an attachment. */
  Written upsert(Owner owner, Document body, Optional<Content> content, long version) {
    lock.lock();
    try {
      return put(owner, find(owner, id(body)), body, content, version);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Replaces an attachment.
   *
   * @throws EngineException NOT_FOUND, VERSION_MISMATCH
   */
  Written replace(Owner owner, Document body, Optional<Content> content, long version) {
    lock.lock();
    try {
      Optional<Attachment> old = find(owner, id(body));
      if (old.isEmpty()) {
        throw new EngineException(Reason.NOT_FOUND, id(body));
      }
      return put(owner, old, body, content, version);
    } finally {
      lock.unlock();
    }
  }

  private static String id(Document body) {
    return body.field(Attachment.ID).asString();
  }

  private Written put(
      Owner owner,
      Optional<Attachment> old,
      Document body,
      Optional<Content> content,
      long version) {
    Collection annex = containers.openAnnex(owner.container(), SPEC);
    if (old.isEmpty() && all(owner, annex).size() >= MOST) {
      throw new CosmosException(
          Status.FORBIDDEN,
          CosmosException.errors("An item has at most " + MOST + " attachments."));
    }
    boolean had = old.filter(Attachment::uploaded).isPresent();
    boolean keeps = had && links(body, old.get().mediaLink());
    boolean uploaded = content.isPresent() || keeps;
    List<Write> writes = new ArrayList<>();
    writes.add(new Write.Upsert(Attachment.description(owner, body, uploaded), version));
    if (content.isPresent()) {
      writes.add(new Write.Upsert(kept(owner, id(body), content.get())));
    } else if (had && !keeps) {
      writes.add(new Write.Delete(key(owner, Kind.CONTENT, id(body))));
    }
    WriteResult reply = write(annex, writes);
    boolean created = reply.outcomes().getFirst() instanceof WriteOutcome.Inserted;
    Attachment now = find(owner, id(body)).orElseThrow(CosmosException::notFound);
    return new Written(now, created, reply.charge());
  }

  /** Whether a body still links to the uploaded media. */
  private static boolean links(Document body, String link) {
    return body.field(Attachment.MEDIA).equals(Value.of(link));
  }

  private static Document kept(Owner owner, String id, Content content) {
    return Attachment.head(owner, Kind.CONTENT, id)
        .put(TYPE, content.type())
        .put(BYTES, Value.binary(GENERIC, content.bytes()))
        .build();
  }

  private WriteResult write(Collection annex, List<Write> writes) {
    WriteResult reply = annex.write(writes, Grouping.ATOMIC, durability);
    for (WriteOutcome outcome : reply.outcomes()) {
      if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
        throw failure;
      }
    }
    return reply;
  }

  /**
   * Deletes an attachment and its media. Returns the charge.
   *
   * @throws EngineException NOT_FOUND, VERSION_MISMATCH
   */
  double delete(Owner owner, String id, long version) {
    lock.lock();
    try {
      Attachment old = find(owner, id).orElseThrow(() -> new EngineException(Reason.NOT_FOUND, id));
      List<Write> writes = new ArrayList<>();
      writes.add(new Write.Delete(key(owner, Kind.DESCRIPTION, id), version));
      if (old.uploaded()) {
        writes.add(new Write.Delete(key(owner, Kind.CONTENT, id)));
      }
      return write(containers.openAnnex(owner.container(), SPEC), writes).charge();
    } finally {
      lock.unlock();
    }
  }

  /** Deletes attachments of items that are gone for good. */
  public void collect() {
    for (Database database : containers.databases()) {
      for (Container container : containers.containers(database)) {
        containers.annex(container).ifPresent(annex -> collect(container, annex));
      }
    }
  }

  /** Skips a container with expired items that are not swept: an undo may restore them. */
  private static void collect(Container container, Collection annex) {
    if (!container.collection().expiry().backlog().equals(Usage.NONE)) {
      return;
    }
    try (Cursor cursor = annex.records(List.of())) {
      while (cursor.next()) {
        Document kept = cursor.document();
        if (!Attachment.owner(container, kept).lives()) {
          List<Value> place = List.of(kept.field(Attachment.ITEM), kept.field(Attachment.KIND));
          annex.write(
              List.of(new Write.Delete(new DocumentKey(place, kept.field(Attachment.ID)))),
              Grouping.UNORDERED,
              Durability.LOGGED);
        }
      }
    }
  }
}
