package dev.mayfly.mongo.write;

import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Write;
import dev.mayfly.engine.WriteOutcome;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.Statement;
import dev.mayfly.mongo.collection.DuplicateKey;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;

/**
 * Inserts documents in the form in which they are stored: {@code _id} first, empty timestamps set
 * to the current time. Inserts many in groups, which are small so that other writers of the shard
 * do not wait long. Safe for many threads.
 */
final class Inserter {
  /** The option of a command to store empty timestamps unchanged. */
  static final String KEEP_EMPTY_TIMESTAMPS = "bypassEmptyTsReplacement";

  private static final byte[] ID = {'_', 'i', 'd'};
  private static final int GROUP_DOCUMENTS = 1000;
  private static final int GROUP_BYTES = 4 << 20;

  private final ObjectIds ids;
  private long lastTimestamp;

  Inserter(ObjectIds ids) {
    this.ids = ids;
  }

  /** The document in the form in which it is stored. */
  Document prepared(Request request, Document given) {
    return stored(given, request.now(), keepEmptyTimestamps(request));
  }

  /** A replacement document in the form in which it is stored. */
  Document replacing(Request request, Document given) {
    return keepEmptyTimestamps(request) ? given : withTimestamps(given, request.now());
  }

  private static boolean keepEmptyTimestamps(Request request) {
    return request.flag(KEEP_EMPTY_TIMESTAMPS, false);
  }

  /** Inserts all documents, if ordered up to the first error; returns the inserted count. */
  int insertAll(
      Request request,
      CollectionOperations target,
      List<Document> documents,
      boolean ordered,
      WriteErrors errors) {
    int inserted = 0;
    int next = 0;
    while (next < documents.size() && (errors.isEmpty() || !ordered)) {
      List<Write> group = new ArrayList<>();
      List<Integer> indexes = new ArrayList<>();
      next = prepareGroup(request, target, documents, next, ordered, group, indexes, errors);
      inserted += write(target, group, indexes, ordered, errors);
      request.check();
    }
    return inserted;
  }

  /** Inserts one document as the statement of this number. */
  void insertOne(
      Request request,
      CollectionOperations target,
      Document document,
      int statement,
      WriteErrors errors) {
    Document prepared = prepared(request, document);
    target.validator().checkInsert(prepared);
    write(target, List.of(new Write.Insert(prepared)), List.of(statement), true, errors);
  }

  private int prepareGroup(
      Request request,
      CollectionOperations target,
      List<Document> documents,
      int from,
      boolean ordered,
      List<Write> group,
      List<Integer> indexes,
      WriteErrors errors) {
    boolean keepEmptyTimestamps = keepEmptyTimestamps(request);
    int next = from;
    long bytes = 0;
    while (next < documents.size() && group.size() < GROUP_DOCUMENTS && bytes < GROUP_BYTES) {
      try {
        Document document = stored(documents.get(next), request.now(), keepEmptyTimestamps);
        target.validator().checkInsert(document);
        bytes += document.length();
        group.add(new Write.Insert(document));
        indexes.add(next);
      } catch (CommandException failure) {
        errors.add(next, failure);
        if (ordered) {
          return next + 1;
        }
      }
      next++;
    }
    return next;
  }

  private static int write(
      CollectionOperations target,
      List<Write> group,
      List<Integer> indexes,
      boolean ordered,
      WriteErrors errors) {
    if (group.isEmpty()) {
      return 0;
    }
    int inserted = 0;
    List<WriteOutcome> outcomes =
        target.write(
            group,
            ordered ? Grouping.ORDERED : Grouping.UNORDERED,
            new Statement(indexes.getFirst()));
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof WriteOutcome.Failed(EngineException failure)) {
        errors.add(
            indexes.get(i),
            WriteErrors.of(DuplicateKey.translate(failure, target.namespace(), target.spec())));
      } else if (outcomes.get(i) instanceof WriteOutcome.Inserted
          || outcomes.get(i) instanceof WriteOutcome.Repeated) {
        inserted++;
      }
    }
    return inserted;
  }

  /**
   * The document as it is stored; the same object if it already has that form.
   *
   * @param now epoch milliseconds
   * @param keepEmptyTimestamps whether empty timestamps stay empty
   */
  private Document stored(Document given, long now, boolean keepEmptyTimestamps) {
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

  private Document withTimestamps(Document given, long now) {
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
