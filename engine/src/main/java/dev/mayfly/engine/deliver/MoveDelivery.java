package dev.mayfly.engine.deliver;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.engine.shard.ArchiveQueue.Image;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Delivery into another collection: writes each document under its id, and replaces one that has
 * the same id. A repeated batch therefore changes nothing.
 *
 * <p>A document that moves to the other kind of collection gets an id of that kind. In a container,
 * {@code id} is the text of {@code _id}, and types that JSON lacks become Extended JSON. In a
 * MongoDB collection, {@code _id} is the {@code id}, or an object with the partition key and the
 * {@code id} if these together identify an item.
 */
final class MoveDelivery implements Delivery {
  private static final String MONGO_ID = "_id";
  private static final String COSMOS_ID = "id";

  private final Source source;
  private final String name;
  private final Supplier<Optional<Collection>> target;

  /**
   * @param name the name of the target, for messages
   */
  MoveDelivery(Source source, String name, Supplier<Optional<Collection>> target) {
    this.source = source;
    this.name = name;
    this.target = target;
  }

  @Override
  public void deliver(int shard, List<Image> images, long now) {
    Collection to =
        target
            .get()
            .orElseThrow(() -> new DeliveryException("the collection " + name + " does not exist"));
    List<Write> writes = new ArrayList<>(images.size());
    for (Image image : images) {
      writes.add(new Write.Upsert(moved(image.document(), to.spec().dialect())));
    }
    try {
      for (WriteOutcome outcome :
          to.write(writes, Grouping.ORDERED, Durability.SYNCED).outcomes()) {
        if (outcome instanceof WriteOutcome.Failed(EngineException failure)) {
          throw failure;
        }
      }
    } catch (EngineException | StoreException failure) {
      throw new DeliveryException("a document cannot be moved to " + name, failure);
    }
  }

  private Document moved(Document document, Dialect to) {
    if (source.dialect() == to) {
      return document;
    }
    return to == Dialect.COSMOS ? asItem(document) : asDocument(document);
  }

  private static Document asItem(Document document) {
    DocumentWriter item = Document.writer().put(COSMOS_ID, text(document.field(MONGO_ID)));
    // dates and other types that JSON lacks become Extended JSON
    Fields fields = Json.parse(ExtendedJson.relaxed(document), Limits.COSMOS).fields();
    while (fields.next()) {
      if (!fields.named(COSMOS_ID)) {
        item.put(fields);
      }
    }
    return item.build();
  }

  private static String text(Value id) {
    return switch (id.type()) {
      case STRING -> id.asString();
      case OBJECT_ID -> HexFormat.of().formatHex(id.asObjectId());
      default -> ExtendedJson.relaxed(id);
    };
  }

  private Document asDocument(Document item) {
    DocumentWriter document = Document.writer();
    List<FieldPath> key = source.partitionKey();
    boolean byId = key.isEmpty() || (key.size() == 1 && key.getFirst().toString().equals("id"));
    if (byId) {
      document.put(MONGO_ID, item.field(COSMOS_ID));
    } else {
      document.startDocument(MONGO_ID);
      for (FieldPath path : key) {
        Value value = item.at(path);
        document.put(path.toString().replace('.', '/'), value.isMissing() ? Value.NULL : value);
      }
      document.put(COSMOS_ID, item.field(COSMOS_ID)).end();
    }
    Fields fields = item.fields();
    while (fields.next()) {
      if (!fields.named(MONGO_ID)) {
        document.put(fields);
      }
    }
    return document.build();
  }
}
