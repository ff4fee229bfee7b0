package dev.mayfly.mongo.write;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.Collations;
import dev.mayfly.mongo.access.Documents;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.Targets;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.Optional;

/** Does update statements as {@code update} has them. */
final class Updates {
  private final Targets targets;
  private final Inserting inserting;

  Updates(Targets targets, ObjectIds ids) {
    this.targets = targets;
    this.inserting = new Inserting(ids);
  }

  /** Does one statement, which is in its form. */
  Updating.Result one(
      Request request, Namespace namespace, Document statement, int number, WriteConcern concern) {
    refuseConstants(statement);
    boolean upsert = Statements.flag(statement, "upsert");
    boolean multi = Statements.flag(statement, "multi");
    Optional<Documents> target =
        upsert
            ? Optional.of(targets.created(request, namespace, concern.durability()))
            : targets.existing(request, namespace, concern.durability());
    Variables variables =
        Variables.none(targets.now())
            .with(request.document("let"))
            .with(Statements.document(statement, "c"));
    UpdateStatement update = statement(statement, target, upsert, variables, targets.now());
    if (target.isEmpty()) {
      return Updating.Result.NOTHING;
    }
    if (multi && update.replaces()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "multi update is not supported for replacement-style update");
    }
    Updating updating =
        new Updating(request, target.get(), inserting, targets.now(), number, false);
    return multi ? updating.all(update) : updating.first(update);
  }

  private static void refuseConstants(Document statement) {
    if (!statement.field("c").isMissing() && !statement.field("u").isArray()) {
      throw new CommandException(
          ErrorCode.location(51198), "Constant values may only be specified for pipeline updates");
    }
  }

  private static UpdateStatement statement(
      Document statement,
      Optional<Documents> target,
      boolean upsert,
      Variables variables,
      long now) {
    Document filter = Statements.document(statement, "q");
    if (upsert) {
      Statements.refuseExpressions(filter);
    }
    Document collation = Statements.document(statement, "collation");
    CollectionSpec spec = target.map(Documents::spec).orElse(Namespaces.PLAIN);
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
            Collations.of(collation, spec)),
        upsert,
        variables.scope(),
        now);
  }
}
