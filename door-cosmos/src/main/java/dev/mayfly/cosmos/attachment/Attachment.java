package dev.mayfly.cosmos.attachment;

import dev.mayfly.cosmos.container.Container;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;

/**
 * A stored attachment.
 *
 * @param uploaded whether its media are stored here; otherwise the client's link points to them
 * @param body properties that the client has set
 */
record Attachment(Owner owner, boolean uploaded, Document body, StoredDocument stored) {
  static final String ITEM = "item";
  static final String KIND = "kind";
  static final String ID = "id";
  static final String MEDIA = "media";
  private static final String OWNER = "owner";
  private static final String UPLOADED = "uploaded";
  private static final String BODY = "body";
  private static final String MEDIA_LINK = "/media/";
  private static final long MILLIS = 1000;

  /** Kinds of stored documents of an attachment. */
  enum Kind {
    /** Its properties. */
    DESCRIPTION(0),
    /** Its media. */
    CONTENT(1);

    private final int code;

    Kind(int code) {
      this.code = code;
    }

    /** Returns the stored value. */
    Value value() {
      return Value.of(code);
    }
  }

  static Attachment of(Owner owner, StoredDocument stored) {
    Document document = stored.document();
    boolean uploaded = document.field(UPLOADED).asBoolean();
    return new Attachment(owner, uploaded, document.field(BODY).asDocument(), stored);
  }

  /** Returns the item that a stored document belongs to. */
  static Owner owner(Container container, Document document) {
    return Owner.of(container, document.field(OWNER).asDocument(), document.field(ITEM).asLong());
  }

  /** Returns the properties that both kinds of stored documents begin with. */
  static DocumentWriter head(Owner owner, Kind kind, String id) {
    return Document.writer()
        .put(ITEM, owner.birth())
        .put(KIND, kind.value())
        .put(ID, id)
        .put(OWNER, owner.form());
  }

  /** Returns the stored document of the properties. */
  static Document description(Owner owner, Document body, boolean uploaded) {
    return head(owner, Kind.DESCRIPTION, body.field(ID).asString())
        .put(UPLOADED, uploaded)
        .put(BODY, body)
        .build();
  }

  String id() {
    return body.field(ID).asString();
  }

  Rid rid() {
    return owner.rid().attachment(number());
  }

  /** Returns its number among those of the item: the lower half of its birth number. */
  int number() {
    return (int) stored.birth();
  }

  /** Returns the link of uploaded media. */
  String mediaLink() {
    return MEDIA_LINK + rid().media();
  }

  String etag() {
    return Etag.of(stored.version());
  }

  /** Returns the resource for clients. */
  Document resource() {
    DocumentWriter writer = Document.writer();
    Fields fields = body.fields();
    while (fields.next()) {
      if (!uploaded || !fields.name().equals(MEDIA)) {
        writer.put(fields);
      }
    }
    if (uploaded) {
      writer.put(MEDIA, mediaLink());
    }
    return writer
        .put("_rid", rid().text())
        .put("_self", owner.self() + "attachments/" + rid() + "/")
        .put("_etag", etag())
        .put("_ts", stored.writtenAt() / MILLIS)
        .build();
  }
}
