package dev.mayfly.mongo.write;

import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;

/**
 * Converts a document to the form in which it is stored: {@code _id} first, empty timestamps set to
 * the current time. Safe for many threads.
 */
final class NewDocument {
  /** The option of a command to store empty timestamps unchanged. */
  static final String KEEP_EMPTY_TIMESTAMPS = "bypassEmptyTsReplacement";

  private static final byte[] ID = {'_', 'i', 'd'};

  private final ObjectIds ids;
  private long lastTimestamp;

  NewDocument(ObjectIds ids) {
    this.ids = ids;
  }

  /**
   * The document as it is stored; the same object if it already has that form.
   *
   * @param now epoch milliseconds
   * @param keepEmptyTimestamps whether empty timestamps stay empty
   */
  Document of(Document given, long now, boolean keepEmptyTimestamps) {
    Fields fields = given.fields();
    boolean first = true;
    boolean idFirst = false;
    boolean stamped = false;
    Value id = Value.MISSING;
    while (fields.next()) {
      if (fields.named(ID)) {
        id = fields.value();
        idFirst = first;
      } else {
        stamped |= !keepEmptyTimestamps && isEmptyTimestamp(fields);
      }
      first = false;
    }
    checkId(id);
    Document stored = idFirst && !stamped ? given : rewritten(given, id, now, keepEmptyTimestamps);
    if (stored.length() > Limits.MONGO.maxBytes()) {
      throw new CommandException(
          ErrorCode.BAD_VALUE,
          "object to insert too large. size in bytes: "
              + stored.length()
              + ", max size: "
              + Limits.MONGO.maxBytes());
    }
    return stored;
  }

  /** A replacement document with its empty timestamps set. */
  Document replacing(Document given, long now) {
    Fields fields = given.fields();
    while (fields.next()) {
      if (!fields.named(ID) && isEmptyTimestamp(fields)) {
        return rewritten(given, given.field("_id"), now, false);
      }
    }
    return given;
  }

  private static boolean isEmptyTimestamp(Fields at) {
    return at.type() == Type.TIMESTAMP && at.value().asTimestamp() == 0;
  }

  private Document rewritten(Document given, Value id, long now, boolean keepEmptyTimestamps) {
    DocumentWriter writer = Document.writer();
    writer.put("_id", id.isMissing() ? ids.next(now) : id);
    Fields fields = given.fields();
    while (fields.next()) {
      if (fields.named(ID)) {
        continue;
      }
      if (!keepEmptyTimestamps && isEmptyTimestamp(fields)) {
        writer.put(fields.name(), Value.timestamp(timestamp(now)));
      } else {
        writer.put(fields);
      }
    }
    return writer.build();
  }

  private synchronized long timestamp(long now) {
    lastTimestamp = Math.max(lastTimestamp + 1, ((now / 1000) << 32) | 1);
    return lastTimestamp;
  }

  /** Fails if a value cannot be an {@code _id}. */
  static void checkId(Value id) {
    if (id.type() == Type.ARRAY || id.type() == Type.REGEX || id.type() == Type.UNDEFINED) {
      throw new CommandException(
          ErrorCode.INVALID_ID_FIELD,
          "The '_id' value cannot be of type " + TypeNames.of(id.type()));
    }
    if (id.type() == Type.OBJECT) {
      Fields fields = id.asDocument().fields();
      while (fields.next()) {
        if (fields.nameLength() > 0 && fields.buffer()[fields.nameOffset()] == '$') {
          throw new CommandException(
              ErrorCode.DOLLAR_PREFIXED_FIELD_NAME,
              "_id fields may not contain '$'-prefixed fields: "
                  + fields.name()
                  + " is not valid for storage.");
        }
      }
    }
  }
}
