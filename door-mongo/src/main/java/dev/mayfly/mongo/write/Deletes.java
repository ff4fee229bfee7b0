package dev.mayfly.mongo.write;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.Documents;
import dev.mayfly.mongo.access.Targets;
import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.ErrorCode;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mongo.language.Variables;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Optional;

/** Does delete statements as {@code delete} has them. */
final class Deletes {
  private final Targets targets;

  Deletes(Targets targets) {
    this.targets = targets;
  }

  /** Does one statement and says how many documents are gone. */
  long one(
      Request request, Namespace namespace, Document statement, int number, WriteConcern concern) {
    boolean first = limit(statement.field("limit")) == 1;
    Optional<Documents> target = targets.existing(request, namespace, concern.durability());
    if (target.isEmpty()) {
      return 0;
    }
    Variables variables = Variables.none(targets.now()).with(request.document("let"));
    Query query =
        Statements.query(
            Statements.document(statement, "q"),
            Document.EMPTY,
            statement.field("hint"),
            Statements.document(statement, "collation"),
            target.get().spec(),
            variables);
    Deleting deleting = new Deleting(request, target.get(), number, false);
    return first ? deleting.first(query).map(_ -> 1L).orElse(0L) : deleting.all(query);
  }

  private static long limit(Value limit) {
    if (limit.isMissing()) {
      throw new CommandException(
          ErrorCode.MISSING_FIELD,
          "BSON field 'delete.deletes.limit' is missing but a required field");
    }
    long value = limit.isNumber() ? (long) limit.asDouble() : -1;
    if (value != 0 && value != 1) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "The limit field in delete objects must be 0 or 1. Got " + limit);
    }
    return value;
  }
}
