package dev.mayfly.mongo;

import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;

/**
 * Selects the messages that run on the event loop: commands on one document by its {@code _id}. If
 * such a command would block after all, it throws {@code WouldBlock}, and a worker runs it.
 */
final class FastPath {
  private FastPath() {}

  static boolean is(Message message) {
    return message instanceof Message.Call call && is(call);
  }

  private static boolean is(Message.Call call) {
    Document body = call.body();
    Fields fields = body.fields();
    if (!fields.next() || inTransactionOrSnapshot(body)) {
      return false;
    }
    return switch (fields.name()) {
      case "find" -> isIdFilter(body.field("filter"));
      case "insert" -> !only(call, "documents").isMissing();
      case "update" -> isSingle(only(call, "updates"), "multi");
      case "delete" -> isSingle(only(call, "deletes"), "");
      case "findAndModify", "findandmodify" -> isIdFilter(body.field("query"));
      case "ping" -> true;
      case String _ -> false;
    };
  }

  /** Excluded, because a transaction can wait for another one, and a snapshot reads the past. */
  private static boolean inTransactionOrSnapshot(Document body) {
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

  private static boolean isSingle(Value statement, String unless) {
    return statement.isDocument()
        && isIdFilter(statement.asDocument().field("q"))
        && !statement.asDocument().field(unless).equals(Value.TRUE);
  }

  /** Whether a filter is an {@code _id} with a plain value and nothing else. */
  private static boolean isIdFilter(Value filter) {
    if (!filter.isDocument()) {
      return false;
    }
    Fields fields = filter.asDocument().fields();
    return fields.next() && fields.name().equals("_id") && isPlain(fields.type()) && !fields.next();
  }

  private static boolean isPlain(Type type) {
    return switch (type) {
      case OBJECT, ARRAY, REGEX, NULL, UNDEFINED -> false;
      case Type _ -> true;
    };
  }
}
