package dev.mayfly.mongo.change;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TransactionId;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Builds the documents of change events. */
final class Event {
  private static final byte UUID_SUBTYPE = 4;

  /** The maximum size before a split: pre-image, full document, update description and more. */
  private static final int MAX_BYTES = 64 << 20;

  private Event() {}

  /** Begins an event with its token, type and times. */
  private static DocumentWriter begin(ResumeToken token, String operation, long epochMillis) {
    return Document.largeWriter(MAX_BYTES)
        .put("_id", token.toDocument())
        .put("operationType", operation)
        .put("clusterTime", ClusterTime.of(epochMillis))
        .put("wallTime", Value.date(epochMillis));
  }

  /**
   * The event of a change of a document.
   *
   * @param uuid of the collection; missing if it is not reported
   * @param fullDocument the document after the change; missing if it is not reported
   * @param before the document before the change; missing if it is not reported
   */
  static Document of(
      Change change,
      Value uuid,
      Namespace namespace,
      Value fullDocument,
      Value before,
      Document description) {
    String operation =
        switch (change.kind()) {
          case INSERT -> "insert";
          case UPDATE -> "update";
          case REPLACE -> "replace";
          case DELETE, EXPIRE -> "delete";
        };
    ResumeToken token = new ResumeToken(change.time(), change.position(), ResumeToken.Kind.CHANGE);
    DocumentWriter event =
        begin(token, operation, change.time())
            .put("collectionUUID", uuid)
            .put("fullDocument", fullDocument);
    put(event, namespace);
    event.startDocument("documentKey").put("_id", change.key().id()).end();
    if (!description.isEmpty()) {
      event.put("updateDescription", description);
    }
    event.put("fullDocumentBeforeChange", before);
    TransactionId transaction = change.transaction();
    if (transaction.named()) {
      event.put("lsid", Document.of(transaction.session().toArray(), Limits.MONGO));
      event.put("txnNumber", transaction.number());
    }
    if (change.kind() == Change.Kind.EXPIRE) {
      event
          .startDocument("mayfly")
          .put("expired", true)
          .put("deadline", Value.date(change.deadline()))
          .end();
    }
    if (change.cause() == Change.Cause.CAP) {
      event.startDocument("mayfly").put("evicted", true).end();
    }
    if (change.cause() == Change.Cause.PARENT) {
      event.startDocument("mayfly").put("deletedWithParent", true).end();
    }
    return event.build();
  }

  /**
   * Begins an event of a schema change.
   *
   * @param uuid of the collection; missing without showExpandedEvents
   */
  static DocumentWriter ofCollection(
      ResumeToken token, String operation, long epochMillis, Value uuid, Namespace namespace) {
    DocumentWriter event = begin(token, operation, epochMillis).put("collectionUUID", uuid);
    put(event, namespace);
    return event;
  }

  /** The {@code dropDatabase} event. */
  static Document databaseDropped(ResumeToken token, long epochMillis, String database) {
    return begin(token, "dropDatabase", epochMillis)
        .startDocument("ns")
        .put("db", database)
        .end()
        .build();
  }

  /** The {@code invalidate} event, which ends a stream. */
  static Document invalidated(long epochMillis, long position) {
    ResumeToken token = new ResumeToken(epochMillis, position, ResumeToken.Kind.INVALIDATE);
    return begin(token, "invalidate", epochMillis).build();
  }

  private static void put(DocumentWriter event, Namespace namespace) {
    event.put("ns", named(namespace));
  }

  /** A namespace in the form of events. */
  static Document named(Namespace namespace) {
    return Document.writer()
        .put("db", namespace.database())
        .put("coll", namespace.collection())
        .build();
  }

  /** A UUID in the form of events. */
  static Value uuid(UUID uuid) {
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    return Value.binary(UUID_SUBTYPE, bytes);
  }
}
