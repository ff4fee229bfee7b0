package dev.mayfly.mongo.change;

import dev.mayfly.engine.Change;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.command.ClusterTime;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** Makes the documents by which drivers are told of changes. */
final class Event {
  private Event() {}

  /** Begins an event; what it is about follows. */
  private static DocumentWriter begin(ResumeToken token, String operation, long epochMillis) {
    return Document.writer()
        .put("_id", token.toDocument())
        .put("operationType", operation)
        .put("clusterTime", ClusterTime.of(epochMillis))
        .put("wallTime", Value.date(epochMillis));
  }

  /**
   * A change of a document.
   *
   * @param fullDocument the document after the change as far as it is shown, else missing
   * @param before the document before the change as far as it is shown, else missing
   */
  static Document of(
      Change change, Namespace namespace, Value fullDocument, Value before, Document description) {
    String operation =
        switch (change.kind()) {
          case INSERT -> "insert";
          case UPDATE -> "update";
          case REPLACE -> "replace";
          case DELETE, EXPIRE -> "delete";
        };
    ResumeToken token = new ResumeToken(change.position(), ResumeToken.Kind.CHANGE);
    DocumentWriter event = begin(token, operation, change.time()).put("fullDocument", fullDocument);
    put(event, namespace);
    event.startDocument("documentKey").put("_id", change.key().id()).end();
    if (!description.isEmpty()) {
      event.put("updateDescription", description);
    }
    event.put("fullDocumentBeforeChange", before);
    if (change.kind() == Change.Kind.EXPIRE) {
      event
          .startDocument("mayfly")
          .put("expired", true)
          .put("deadline", Value.date(change.deadline()))
          .end();
    }
    return event.build();
  }

  /** The end of a collection. */
  static Document dropped(Namespace namespace, long epochMillis, long position) {
    ResumeToken token = new ResumeToken(position, ResumeToken.Kind.CHANGE);
    DocumentWriter event = begin(token, "drop", epochMillis);
    put(event, namespace);
    return event.build();
  }

  /** The end of a stream. */
  static Document invalidated(long epochMillis, long position) {
    ResumeToken token = new ResumeToken(position, ResumeToken.Kind.INVALIDATE);
    return begin(token, "invalidate", epochMillis).build();
  }

  private static void put(DocumentWriter event, Namespace namespace) {
    event
        .startDocument("ns")
        .put("db", namespace.database())
        .put("coll", namespace.collection())
        .end();
  }
}
