package dev.mayfly.cosmos.attachment;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.container.ContainerFlag;
import dev.mayfly.cosmos.item.RidLookup;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * The item that attachments belong to.
 *
 * @param birth number that distinguishes it from earlier and later items with the same id
 */
record Owner(Container container, DocumentKey key, long birth) {
  private static final String ID = "id";
  private static final String PARTITION = "p";

  /** Whether the item is live, under this id or another. */
  boolean isLive() {
    return container.collection().peek(key).filter(item -> item.birth() == birth).isPresent()
        || (container.has(ContainerFlag.RENAMED) && RidLookup.find(container, birth).isPresent());
  }

  Rid rid() {
    return container.rid().item(birth);
  }

  /** Returns its address with rids, ending with a slash. */
  String self() {
    return container.self() + "docs/" + rid() + "/";
  }

  /** Returns the stored form of the key, without undefined values. */
  Document form() {
    DocumentWriter writer = Document.writer().put(ID, key.id());
    for (int i = 0; i < key.partition().size(); i++) {
      if (!key.partition().get(i).isMissing()) {
        writer.put(PARTITION + i, key.partition().get(i));
      }
    }
    return writer.build();
  }

  /** Returns the owner with a stored {@link #form}. */
  static Owner of(Container container, Document form, long birth) {
    List<Value> partition = new ArrayList<>();
    List<FieldPath> paths = container.collection().spec().partitionKey();
    for (int i = 0; i < paths.size(); i++) {
      partition.add(form.field(PARTITION + i));
    }
    return new Owner(container, new DocumentKey(partition, form.field(ID)), birth);
  }
}
