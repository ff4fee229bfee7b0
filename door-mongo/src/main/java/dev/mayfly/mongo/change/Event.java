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

/** Makes the documents by which drivers are told of changes. */
final class Event {
  private static final byte UUID_SUBTYPE = 4;

  /** Two documents, what has changed between them, and what is said about them. */
  private static final int MOST_BYTES = 64 << 20;

  private Event() {}

  /** Begins an event; what it is about follows. */
  private static DocumentWriter begin(ResumeToken token, String operation, long epochMillis) {
    return Document.largeWriter(MOST_BYTES)
        .put("_id", token.toDocument())
        .put("operationType", operation)
        .put("clusterTime", ClusterTime.of(epochMillis))
        .put("wallTime", Value.date(epochMillis));
  }

  /**
   * A change of a document.
   *
   * @param uuid that of its collection as far as it is shown, else missing
   * @param fullDocument the document after the change as far as it is shown, else missing
   * @param before the document before the change as far as it is shown, else missing
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
    return event.build();
  }

  /**
   * Begins an event about a collection itself.
   *
   * @param uuid told to those who want to know more, else missing
   */
  static DocumentWriter ofCollection(
      ResumeToken token, String operation, long epochMillis, Value uuid, Namespace namespace) {
    DocumentWriter event = begin(token, operation, epochMillis).put("collectionUUID", uuid);
    put(event, namespace);
    return event;
  }

  /** The end of a database. */
  static Document databaseDropped(ResumeToken token, long epochMillis, String database) {
    return begin(token, "dropDatabase", epochMillis)
        .startDocument("ns")
        .put("db", database)
        .end()
        .build();
  }

  /** The end of a stream. */
  static Document invalidated(long epochMillis, long position) {
    ResumeToken token = new ResumeToken(epochMillis, position, ResumeToken.Kind.INVALIDATE);
    return begin(token, "invalidate", epochMillis).build();
  }

  private static void put(DocumentWriter event, Namespace namespace) {
    event.put("ns", named(namespace));
  }

  /** A namespace as events tell it. */
  static Document named(Namespace namespace) {
    return Document.writer()
        .put("db", namespace.database())
        .put("coll", namespace.collection())
        .build();
  }

  /** A UUID as events tell it. */
  static Value uuid(UUID uuid) {
    byte[] bytes =
        ByteBuffer.allocate(16)
            .putLong(uuid.getMostSignificantBits())
            .putLong(uuid.getLeastSignificantBits())
            .array();
    return Value.binary(UUID_SUBTYPE, bytes);
  }
}
