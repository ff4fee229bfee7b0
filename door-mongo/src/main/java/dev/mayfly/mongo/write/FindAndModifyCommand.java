package dev.mayfly.mongo.write;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.ObjectIds;
import dev.mayfly.mongo.access.RequestCollation;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.command.WriteConcern;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.ProjectionParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.Optional;
import java.util.Set;

/** {@code findAndModify}: updates or deletes one document and returns it. */
public final class FindAndModifyCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "query",
          "fields",
          "sort",
          "update",
          "remove",
          "new",
          "upsert",
          Inserter.KEEP_EMPTY_TIMESTAMPS,
          "arrayFilters",
          "hint",
          "collation",
          "let",
          "bypassDocumentValidation");

  private final CollectionAccess access;
  private final Inserter inserter;

  public FindAndModifyCommand(CollectionAccess access, ObjectIds ids) {
    this.access = access;
    this.inserter = new Inserter(ids);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    check(request);
    WriteConcern concern = WriteConcern.of(request, access.defaultDurability());
    boolean upsert = request.flag("upsert", false);
    if (upsert) {
      Statements.rejectExpressions(request.document("query"));
    }
    Optional<CollectionOperations> target =
        upsert
            ? Optional.of(access.created(request, request.namespace(), concern.durability()))
            : access.existing(request, request.namespace(), concern.durability());
    Variables variables = Variables.none(request.now()).with(request.document("let"));
    if (target.isPresent()) {
      checkProjection(request, target.get(), variables);
    } else {
      checkForm(request, variables);
    }
    if (request.flag("remove", false)) {
      remove(request, target, variables, reply);
    } else {
      update(request, target, variables, upsert, reply);
    }
    concern.report(reply);
  }

  private static void check(Request request) {
    boolean remove = request.flag("remove", false);
    if (remove && request.has("update")) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot specify both an update and remove=true");
    }
    if (!remove && !request.has("update")) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Either an update or remove=true must be specified");
    }
    if (remove && request.has("arrayFilters")) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot specify arrayFilters and remove=true");
    }
    if (remove && request.flag("upsert", false)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot specify both upsert=true and remove=true ");
    }
    if (remove && request.flag("new", false)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Cannot specify both new=true and remove=true; 'remove' always returns the deleted"
              + " document");
    }
  }

  private static void remove(
      Request request,
      Optional<CollectionOperations> target,
      Variables variables,
      DocumentWriter reply) {
    Optional<Document> removed =
        target.flatMap(
            documents ->
                new Deleter(request, documents, 0, true)
                    .deleteOne(query(request, documents, variables)));
    reply.startDocument("lastErrorObject").put("n", removed.isPresent() ? 1 : 0).end();
    reply.put(
        "value",
        target.isPresent() ? projected(request, target.get(), removed, variables) : Value.NULL);
  }

  private void update(
      Request request,
      Optional<CollectionOperations> target,
      Variables variables,
      boolean upsert,
      DocumentWriter reply) {
    Updater.Result result =
        target.isEmpty()
            ? Updater.Result.NOTHING
            : new Updater(request, target.get(), inserter, 0, true)
                .updateOne(statement(request, target.get(), variables, upsert));
    boolean inserted = !result.upserted().isMissing();
    reply
        .startDocument("lastErrorObject")
        .put("n", inserted ? 1 : (int) result.matched())
        .put("updatedExisting", result.matched() > 0);
    if (inserted) {
      reply.put("upserted", result.upserted());
    }
    reply.end();
    Optional<Document> returned = request.flag("new", false) ? result.after() : result.before();
    reply.put(
        "value",
        target.isPresent() ? projected(request, target.get(), returned, variables) : Value.NULL);
  }

  private UpdateStatement statement(
      Request request, CollectionOperations target, Variables variables, boolean upsert) {
    return new UpdateStatement(
        query(request, target, variables),
        Statements.update(
            request.field("update"),
            request.field("arrayFilters"),
            variables,
            RequestCollation.of(request, target.spec())),
        upsert,
        variables.scope(),
        request.now());
  }

  private static Query query(Request request, CollectionOperations target, Variables variables) {
    return Statements.query(
        request.document("query"),
        request.document("sort"),
        request.field("hint"),
        request.document("collation"),
        target.spec(),
        variables);
  }

  /** Checks the syntax of a request on a collection that does not exist. */
  private static void checkForm(Request request, Variables variables) {
    Statements.query(
        request.document("query"),
        request.document("sort"),
        Value.MISSING,
        request.document("collation"),
        Namespaces.PLAIN,
        variables);
    if (!request.flag("remove", false)) {
      Statements.update(
          request.field("update"), request.field("arrayFilters"), variables, Collation.SIMPLE);
    }
  }

  /** Checks the projection before anything is changed. */
  private static void checkProjection(
      Request request, CollectionOperations target, Variables variables) {
    Document projection = request.document("fields");
    if (!projection.isEmpty()) {
      projection(request, target, variables);
      variables.refuseMetadataBut(Set.of());
    }
  }

  private static Value projected(
      Request request,
      CollectionOperations target,
      Optional<Document> document,
      Variables variables) {
    if (document.isEmpty()) {
      return Value.NULL;
    }
    Document projection = request.document("fields");
    if (projection.isEmpty()) {
      return Value.of(document.get());
    }
    return Value.of(
        projection(request, target, variables).apply(document.get(), variables.scope()));
  }

  private static Projection projection(
      Request request, CollectionOperations target, Variables variables) {
    Collation collation = RequestCollation.of(request.document("collation"), target.spec());
    return ProjectionParser.parse(
        request.document("fields"),
        query(request, target, variables).filter(),
        variables.collated(collation));
  }
}
