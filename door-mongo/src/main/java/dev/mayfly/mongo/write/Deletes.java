package dev.mayfly.mongo.write;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.Documents;
import dev.mayfly.mongo.access.Targets;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mql.parser.Variables;
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

  /** Does one statement, which is in its form, and says how many documents are gone. */
  long one(
      Request request, Namespace namespace, Document statement, int number, WriteConcern concern) {
    boolean first = statement.field("limit").asDouble() == 1;
    Optional<Documents> target = targets.existing(request, namespace, concern.durability());
    Variables variables = Variables.none(targets.now()).with(request.document("let"));
    Query query =
        Statements.query(
            Statements.document(statement, "q"),
            Document.EMPTY,
            target.isPresent() ? statement.field("hint") : Value.MISSING,
            Statements.document(statement, "collation"),
            target.map(Documents::spec).orElse(Namespaces.PLAIN),
            variables);
    if (target.isEmpty()) {
      return 0;
    }
    Deleting deleting = new Deleting(request, target.get(), number, false);
    return first ? deleting.first(query).map(_ -> 1L).orElse(0L) : deleting.all(query);
  }
}
