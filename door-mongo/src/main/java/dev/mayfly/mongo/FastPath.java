package dev.mayfly.mongo;

import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Decides which messages run on the event loop: commands on one document by its {@code _id}.
 * Whether they can run without blocking shows when they are tried.
 */
final class FastPath {
  private FastPath() {}

  static boolean is(Message message) {
    return message instanceof Message.Call call && is(call);
  }

  private static boolean is(Message.Call call) {
    Document body = call.body();
    Fields fields = body.fields();
    if (!fields.next() || inTheirOwnTime(body)) {
      return false;
    }
    return switch (fields.name()) {
      case "find" -> oneId(body.field("filter"));
      case "insert" -> !only(call, "documents").isMissing();
      case "update" -> ofOne(only(call, "updates"), "multi");
      case "delete" -> ofOne(only(call, "deletes"), "");
      case "findAndModify", "findandmodify" -> oneId(body.field("query"));
      case "ping" -> true;
      case String _ -> false;
    };
  }

  /** Transactions may wait for one another, and snapshots read the past. */
  private static boolean inTheirOwnTime(Document body) {
    Value concern = body.field("readConcern");
    return !body.field("autocommit").isMissing()
        || (concern.isDocument()
            && concern.asDocument().field("level").equals(Value.of("snapshot")));
  }

  /** The only document of a field, in a sequence or in the body; missing if there are more. */
  private static Value only(Message.Call call, String field) {
    List<Document> beside = call.sequences().get(field);
    if (beside != null) {
      return beside.size() == 1 ? Value.of(beside.getFirst()) : Value.MISSING;
    }
    Value inside = call.body().field(field);
    if (inside.type() != Type.ARRAY) {
      return Value.MISSING;
    }
    Fields elements = inside.asDocument().fields();
    Value only = elements.next() ? elements.value() : Value.MISSING;
    return elements.next() ? Value.MISSING : only;
  }

  private static boolean ofOne(Value statement, String unless) {
    return statement.isDocument()
        && oneId(statement.asDocument().field("q"))
        && !statement.asDocument().field(unless).equals(Value.TRUE);
  }

  /** Whether a filter is an {@code _id} with a plain value and nothing else. */
  private static boolean oneId(Value filter) {
    if (!filter.isDocument()) {
      return false;
    }
    Fields fields = filter.asDocument().fields();
    return fields.next()
        && fields.name().equals("_id")
        && outright(fields.type())
        && !fields.next();
  }

  private static boolean outright(Type type) {
    return switch (type) {
      case OBJECT, ARRAY, REGEX, NULL, UNDEFINED -> false;
      case Type _ -> true;
    };
  }
}
