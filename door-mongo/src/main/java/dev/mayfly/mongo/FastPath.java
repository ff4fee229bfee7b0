package dev.mayfly.mongo;

import dev.mayfly.mongo.wire.Message;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Set;

/**
 * Selects the messages that run on the event loop: commands on one document by its {@code _id}, and
 * finds that an index may answer with few documents. If such a command would block after all, it
 * throws {@code WouldBlock}, and a worker runs it.
 */
final class FastPath {
  private static final int MAX_CONDITIONS = 4;
  private static final Set<String> RANGE = Set.of("$eq", "$gt", "$gte", "$lt", "$lte");

  /** Options of a find that a worker runs. */
  private static final List<String> NOT_PLAIN =
      List.of("collation", "let", "max", "min", "returnKey", "showRecordId", "tailable");

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
      case "find" -> isIdFilter(body.field("filter")) || isPlainFind(body);
      case "insert" -> !only(call, "documents").isMissing();
      case "update" -> isSingle(only(call, "updates"), "multi");
      case "delete" -> isSingle(only(call, "deletes"), "");
      case "findAndModify", "findandmodify" -> isIdFilter(body.field("query"));
      case "ping" -> true;
      case String _ -> false;
    };
  }

  /**
   * Whether a find may be short: equalities and ranges, which an index may serve, and no work that
   * the number of documents does not limit. The engine finds out.
   */
  private static boolean isPlainFind(Document body) {
    return NOT_PLAIN.stream().allMatch(option -> body.field(option).isMissing())
        && isPlainFilter(body.field("filter"))
        && isPlainProjection(body.field("projection"));
  }

  private static boolean isPlainFilter(Value filter) {
    int conditions = filter.isDocument() ? plainConditions(filter.asDocument()) : 0;
    return conditions > 0 && conditions <= MAX_CONDITIONS;
  }

  /** The number of conditions of a filter; more than allowed if one of them is not plain. */
  private static int plainConditions(Document filter) {
    int count = 0;
    Fields fields = filter.fields();
    while (fields.next() && count <= MAX_CONDITIONS) {
      if (fields.name().equals("$and") && fields.type() == Type.ARRAY) {
        count += plainConditionsOfAll(fields.value().asDocument());
      } else {
        boolean plain =
            fields.type() == Type.OBJECT
                ? isRange(fields.value().asDocument())
                : isPlain(fields.type());
        count += plain && !fields.name().startsWith("$") ? 1 : MAX_CONDITIONS + 1;
      }
    }
    return count;
  }

  /** Drivers write a range as {@code {$and: [{n: {$gte: 1}}, {n: {$lt: 5}}]}}. */
  private static int plainConditionsOfAll(Document filters) {
    int count = 0;
    Fields elements = filters.fields();
    while (elements.next() && count <= MAX_CONDITIONS) {
      count +=
          elements.type() == Type.OBJECT
              ? plainConditions(elements.value().asDocument())
              : MAX_CONDITIONS + 1;
    }
    return count;
  }

  private static boolean isRange(Document condition) {
    Fields operators = condition.fields();
    boolean range = !condition.isEmpty();
    while (range && operators.next()) {
      range = RANGE.contains(operators.name()) && isPlain(operators.type());
    }
    return range;
  }

  private static boolean isPlainProjection(Value projection) {
    if (!projection.isDocument()) {
      return projection.isMissing();
    }
    Fields fields = projection.asDocument().fields();
    boolean plain = true;
    while (plain && fields.next()) {
      plain = fields.value().isNumber() || fields.type() == Type.BOOLEAN;
    }
    return plain;
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
