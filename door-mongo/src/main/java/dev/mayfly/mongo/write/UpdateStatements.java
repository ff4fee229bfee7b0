package dev.mayfly.mongo.write;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.RequestCollation;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Optional;

/** Executes statements of {@code update}, also for {@code bulkWrite}. Safe for many threads. */
final class UpdateStatements {
  private final CollectionAccess access;
  private final Inserter inserter;

  UpdateStatements(CollectionAccess access, ObjectIds ids) {
    this.access = access;
    this.inserter = new Inserter(ids);
  }

  /** Executes a statement that {@link StatementForm} has checked. */
  Updater.Result execute(
      Request request, Namespace namespace, Document statement, int number, WriteConcern concern) {
    rejectConstants(statement);
    boolean upsert = Statements.flag(statement, "upsert");
    boolean multi = Statements.flag(statement, "multi");
    Optional<CollectionOperations> target =
        upsert
            ? Optional.of(access.created(request, namespace, concern.durability()))
            : access.existing(request, namespace, concern.durability());
    Variables variables =
        Variables.none(request.now())
            .with(request.document("let"))
            .with(Statements.document(statement, "c"));
    UpdateStatement update = statement(statement, target, upsert, variables, request.now());
    if (target.isEmpty()) {
      return Updater.Result.NOTHING;
    }
    if (multi && update.replaces()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "multi update is not supported for replacement-style update");
    }
    Updater updater = new Updater(request, target.get(), inserter, number, false);
    return multi ? updater.updateMany(update) : updater.updateOne(update);
  }

  private static void rejectConstants(Document statement) {
    if (!statement.field("c").isMissing() && !statement.field("u").isArray()) {
      throw new CommandException(
          ErrorCode.location(51198), "Constant values may only be specified for pipeline updates");
    }
  }

  private static UpdateStatement statement(
      Document statement,
      Optional<CollectionOperations> target,
      boolean upsert,
      Variables variables,
      long now) {
    Document filter = Statements.document(statement, "q");
    if (upsert) {
      Statements.rejectExpressions(filter);
    }
    Document collation = Statements.document(statement, "collation");
    CollectionSpec spec = target.map(CollectionOperations::spec).orElse(Namespaces.PLAIN);
    return new UpdateStatement(
        Statements.query(
            filter,
            Statements.document(statement, "sort"),
            target.isPresent() ? statement.field("hint") : Value.MISSING,
            collation,
            spec,
            variables),
        Statements.update(
            statement.field("u"),
            statement.field("arrayFilters"),
            variables,
            RequestCollation.of(collation, spec)),
        upsert,
        variables.scope(),
        now,
        Statements.version(statement));
  }
}
