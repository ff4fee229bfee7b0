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
 * attachments of an item are gone the instant it is deleted or expires, and are not visible on a
 * later item with the same id. {@link #collect} deletes the unreachable ones later.
 */
public final class AttachmentStore {
  private static final CollectionSpec SPEC =
      CollectionSpec.cosmos(Attachment.ITEM, Attachment.KIND);
  private static final String TYPE = "type";
  private static final String BYTES = "bytes";
  private static final byte GENERIC = 0;
  private static final int MAX_ATTACHMENTS = 1_000;

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
        .attachments(owner.container())
        .flatMap(attachments -> attachments.read(key(owner, Kind.DESCRIPTION, id)))
        .map(stored -> Attachment.of(owner, stored));
  }

  /** Returns all attachments of an item, ordered by id. */
  List<Attachment> all(Owner owner) {
    Optional<Collection> attachments = containers.attachments(owner.container());
    return attachments.isEmpty() ? List.of() : all(owner, attachments.get());
  }

  private static List<Attachment> all(Owner owner, Collection attachments) {
    List<Attachment> all = new ArrayList<>();
    try (Cursor cursor = attachments.records(partition(owner.birth(), Kind.DESCRIPTION))) {
      while (cursor.next()) {
        all.add(Attachment.of(owner, cursor.current()));
      }
    }
    return all;
  }

  /** Returns the attachment with a rid, if its item is live. */
  Optional<Attachment> find(Rid rid) {
    Optional<Container> container = containers.container(rid);
    Optional<Collection> attachments = container.flatMap(containers::attachments);
    if (attachments.isEmpty()) {
      return Optional.empty();
    }
    try (Cursor cursor = attachments.get().records(partition(rid.number(), Kind.DESCRIPTION))) {
      while (cursor.next()) {
        StoredDocument stored = cursor.current();
        Owner owner = Attachment.owner(container.get(), stored.document());
        Attachment one = Attachment.of(owner, stored);
        if (one.number() == rid.attachmentNumber()) {
          return owner.isLive() ? Optional.of(one) : Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  /** Returns the media of an attachment. */
  Optional<Content> content(Attachment attachment) {
    Owner owner = attachment.owner();
    return containers
        .attachments(owner.container())
        .filter(_ -> attachment.uploaded())
        .flatMap(attachments -> attachments.read(key(owner, Kind.CONTENT, attachment.id())))
        .map(StoredDocument::document)
        .map(
            document ->
                new Content(document.field(BYTES).asBinary(), document.field(TYPE).asString()));
  }

  private static List<Value> partition(long birth, Kind kind) {
    return List.of(Value.of(birth), kind.value());
  }

  private static DocumentKey key(Owner owner, Kind kind, String id) {
    return new DocumentKey(partition(owner.birth(), kind), Value.of(id));
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
    Collection attachments = containers.openAttachments(owner.container(), SPEC);
    if (old.isEmpty() && all(owner, attachments).size() >= MAX_ATTACHMENTS) {
      throw new CosmosException(
          Status.FORBIDDEN,
          CosmosException.errors("An item can have at most " + MAX_ATTACHMENTS + " attachments."));
    }
    boolean hadMedia = old.filter(Attachment::uploaded).isPresent();
    boolean keepsMedia = hadMedia && links(body, old.get().mediaLink());
    boolean uploaded = content.isPresent() || keepsMedia;
    List<Write> writes = new ArrayList<>();
    writes.add(new Write.Upsert(Attachment.description(owner, body, uploaded), version));
    if (content.isPresent()) {
      writes.add(new Write.Upsert(document(owner, id(body), content.get())));
    } else if (hadMedia && !keepsMedia) {
      writes.add(new Write.Delete(key(owner, Kind.CONTENT, id(body))));
    }
    WriteResult reply = write(attachments, writes);
    boolean created = reply.outcomes().getFirst() instanceof WriteOutcome.Inserted;
    Attachment now = find(owner, id(body)).orElseThrow(CosmosException::notFound);
    return new Written(now, created, reply.charge());
  }

  /** Whether a body still links to the uploaded media. */
  private static boolean links(Document body, String link) {
    return body.field(Attachment.MEDIA).equals(Value.of(link));
  }

  private static Document document(Owner owner, String id, Content content) {
    return Attachment.head(owner, Kind.CONTENT, id)
        .put(TYPE, content.type())
        .put(BYTES, Value.binary(GENERIC, content.bytes()))
        .build();
  }

  private WriteResult write(Collection attachments, List<Write> writes) {
    WriteResult reply = attachments.write(writes, Grouping.ATOMIC, durability);
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
      return write(containers.openAttachments(owner.container(), SPEC), writes).charge();
    } finally {
      lock.unlock();
    }
  }

  /** Deletes attachments of items that were deleted or swept. */
  public void collect() {
    for (Database database : containers.databases()) {
      for (Container container : containers.containers(database)) {
        containers.attachments(container).ifPresent(attachments -> collect(container, attachments));
      }
    }
  }

  /** Skips a container with expired items that are not swept: an undo may restore them. */
  private static void collect(Container container, Collection attachments) {
    if (!container.collection().expiry().backlog().equals(Usage.NONE)) {
      return;
    }
    try (Cursor cursor = attachments.records(List.of())) {
      while (cursor.next()) {
        Document document = cursor.document();
        if (!Attachment.owner(container, document).isLive()) {
          List<Value> partition =
              List.of(document.field(Attachment.ITEM), document.field(Attachment.KIND));
          attachments.write(
              List.of(new Write.Delete(new DocumentKey(partition, document.field(Attachment.ID)))),
              Grouping.UNORDERED,
              Durability.LOGGED);
        }
      }
    }
  }
}
