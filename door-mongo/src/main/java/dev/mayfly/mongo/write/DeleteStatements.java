package dev.mayfly.mongo.write;

import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Optional;

/** Executes statements of {@code delete}, also for {@code bulkWrite}. Safe for many threads. */
final class DeleteStatements {
  private final CollectionAccess access;

  DeleteStatements(CollectionAccess access) {
    this.access = access;
  }

  /** Executes a statement that {@link StatementForm} has checked; returns the deleted count. */
  long execute(
      Request request, Namespace namespace, Document statement, int number, WriteConcern concern) {
    boolean first = statement.field("limit").asDouble() == 1;
    Optional<CollectionOperations> target =
        access.existing(request, namespace, concern.durability());
    Variables variables = Variables.none(request.now()).with(request.document("let"));
    Query query =
        Statements.query(
            Statements.document(statement, "q"),
            Document.EMPTY,
            target.isPresent() ? statement.field("hint") : Value.MISSING,
            Statements.document(statement, "collation"),
            target.map(CollectionOperations::spec).orElse(Namespaces.PLAIN),
            variables);
    if (target.isEmpty()) {
      return 0;
    }
    Deleter deleter = new Deleter(request, target.get(), number, false);
    long version = Statements.version(statement);
    if (version != Write.ANY_VERSION) {
      return deleter.deleteVersion(query, version) ? 1 : 0;
    }
    return first ? deleter.deleteOne(query).map(_ -> 1L).orElse(0L) : deleter.deleteMany(query);
  }
}
