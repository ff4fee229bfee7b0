package dev.mayfly.cosmos.item;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import java.util.Set;

/**
 * Formats a stored item for clients: its properties, followed by system properties.
 *
 * <p>System properties are not stored. They are derived from the container, the key and the version
 * of the item.
 */
public final class ItemForm {
  private static final Set<String> SYSTEM =
      Set.of("_rid", "_self", "_etag", "_attachments", "_ts", "_lsn", UnindexedFlag.NAME);
  private static final String ATTACHMENTS = "attachments/";
  private static final long MILLIS = 1000;

  private ItemForm() {}

  /** Whether a root property is a system property: clients may send it, but cannot set it. */
  public static boolean system(String name) {
    return SYSTEM.contains(name);
  }

  /** Returns the item with its system properties. */
  public static Document of(Container container, StoredDocument stored) {
    String rid = rid(container, stored);
    return copy(stored.document())
        .put("_rid", rid)
        .put("_self", self(container, rid))
        .put("_etag", Etag.of(stored.version()))
        .put("_attachments", ATTACHMENTS)
        .put("_ts", seconds(stored))
        .build();
  }

  /** Returns an old version of an item whose birth number, and so its rid, is unknown. */
  public static Document withoutRid(StoredDocument stored) {
    return copy(stored.document())
        .put("_etag", Etag.of(stored.version()))
        .put("_attachments", ATTACHMENTS)
        .put("_ts", seconds(stored))
        .build();
  }

  private static DocumentWriter copy(Document document) {
    DocumentWriter writer = Document.writer();
    writer.putAll(UnindexedFlag.stripped(document));
    return writer;
  }

  /** As {@link #of}, directly as JSON in UTF-8. */
  public static byte[] json(Container container, StoredDocument stored) {
    return json(container, stored, "");
  }

  /** As {@link #json}, with {@code _lsn}, the position of the last change. */
  public static byte[] changed(Container container, StoredDocument stored) {
    return json(container, stored, ",\"_lsn\":" + stored.version());
  }

  /** Returns the item, and separately the position and the time of its last change. */
  public static byte[] changedWithMetadata(Container container, StoredDocument stored) {
    return json(
        Document.writer()
            .put("current", of(container, stored))
            .startDocument("metadata")
            .put("lsn", stored.version())
            .put("crts", seconds(stored))
            .end()
            .build());
  }

  private static byte[] json(Container container, StoredDocument stored, String end) {
    String rid = rid(container, stored);
    String etag = Etag.of(stored.version());
    String system =
        "\"_rid\":\""
            + rid
            + "\",\"_self\":\""
            + self(container, rid)
            + "\",\"_etag\":\"\\\""
            + etag.substring(1, etag.length() - 1)
            + "\\\"\",\"_attachments\":\""
            + ATTACHMENTS
            + "\",\"_ts\":"
            + seconds(stored)
            + end;
    return Json.bytes(UnindexedFlag.stripped(stored.document()), system);
  }

  /** Returns the document as JSON in UTF-8. */
  public static byte[] json(Document document) {
    return Json.bytes(document);
  }

  private static String rid(Container container, StoredDocument stored) {
    return container.rid().item(stored.birth()).text();
  }

  private static String self(Container container, String rid) {
    return container.self() + "docs/" + rid + "/";
  }

  private static long seconds(StoredDocument stored) {
    return stored.writtenAt() / MILLIS;
  }
}
