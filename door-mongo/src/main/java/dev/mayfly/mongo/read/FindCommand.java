package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.Hints;
import dev.mayfly.mongo.access.Ids;
import dev.mayfly.mongo.access.RequestCollation;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.mongo.cursor.ShapedTail;
import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.GeoSyntax;
import dev.mayfly.mql.parser.ProjectionParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.projection.Projection;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Hint;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code find}: returns the documents that match a filter, with sort, skip, limit and projection.
 */
public final class FindCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of(
          "filter",
          "projection",
          "sort",
          "hint",
          "collation",
          "skip",
          "limit",
          "batchSize",
          "singleBatch",
          "allowDiskUse",
          "min",
          "max",
          "returnKey",
          "showRecordId",
          "tailable",
          "awaitData",
          "noCursorTimeout",
          "oplogReplay",
          "allowPartialResults",
          "let",
          "term",
          "ntoreturn");

  private static final List<String> NOT_ON_VIEWS =
      List.of("min", "max", "returnKey", "showRecordId", "tailable");

  private final CollectionAccess access;
  private final Pipelines pipelines;
  private final Cursors cursors;

  public FindCommand(CollectionAccess access, Pipelines pipelines, Cursors cursors) {
    this.access = access;
    this.pipelines = pipelines;
    this.cursors = cursors;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    if (request.flag("awaitData", false) && !request.flag("tailable", false)) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot set 'awaitData' without also setting 'tailable'");
    }
    long batch = request.count("batchSize", OpenCursor.FIRST_BATCH);
    request.count("limit", 0);
    boolean single = request.flag("singleBatch", false);
    Rows rows = access.isView(request.namespace()) ? ofView(request) : rows(request);
    OpenCursor cursor =
        new OpenCursor(request.namespace().toString(), rows, new Caller(request))
            .noTimeout(request.flag("noCursorTimeout", false))
            .awaitData(request.flag("awaitData", false));
    cursors.begin(request, reply, cursor, batch, single);
  }

  private Rows ofView(Request request) {
    request.operation().mayWait();
    for (String option : NOT_ON_VIEWS) {
      Value value = request.field(option);
      if (value.equals(Value.TRUE) || (value.isDocument() && !value.asDocument().isEmpty())) {
        throw new CommandException(
            ErrorCode.INVALID_PIPELINE_OPERATOR,
            "Option " + option + " not supported in aggregation.");
      }
    }
    return pipelines.rows(request, ViewStages.target(request), ViewStages.of(request));
  }

  private Rows rows(Request request) {
    Optional<CollectionOperations> found = access.existing(request, request.namespace());
    if (found.isEmpty()) {
      check(request);
      return Rows.none();
    }
    CollectionOperations documents = found.get();
    Query query = query(request, documents);
    Document projection = request.document("projection");
    boolean plain = !request.flag("returnKey", false) && !request.flag("showRecordId", false);
    if (projection.isEmpty() && plain) {
      return rows(request, documents, query);
    }
    Variables variables =
        Variables.none(request.now())
            .with(request.document("let"))
            .collated(RequestCollation.of(request.document("collation"), documents.spec()));
    Projection parsed = ProjectionParser.parse(projection, query.filter(), variables);
    RequestedMetadata requestedMetadata = RequestedMetadata.of(request, variables);
    if (!requestedMetadata.nothing()) {
      return annotated(request, documents, query, parsed, variables);
    }
    Rows rows = rows(request, documents, query);
    return rows instanceof Tail tail
        ? new ShapedTail(tail, new ProjectedRows(tail, parsed, variables.scope()))
        : new ProjectedRows(rows, parsed, variables.scope());
  }

  private void check(Request request) {
    Variables variables = Variables.none(request.now()).with(request.document("let"));
    Filter filter = Queries.check(request.document("filter"), request.document("sort"), variables);
    ProjectionParser.parse(request.document("projection"), filter, variables);
    request.count("skip", 0);
  }

  private static Rows annotated(
      Request request,
      CollectionOperations documents,
      Query query,
      Projection projection,
      Variables variables) {
    if (request.flag("tailable", false)) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED,
          "a tailable cursor does not support returnKey, showRecordId or $meta");
    }
    variables.refuseMetadataBut(RequestedMetadata.known(query));
    return new RowsWithMetadata(
        documents.query(query),
        query,
        RequestedMetadata.of(request, variables),
        GeoSyntax.unit(request.document("filter")),
        projection,
        variables.scope());
  }

  /** The query of a request. */
  static Query query(Request request, CollectionOperations documents) {
    long limit = request.count("limit", 0);
    Document sort = request.document("sort");
    Variables variables = Variables.none(request.now()).with(request.document("let"));
    Query query =
        Queries.of(request, request.document("filter"), sort, documents, variables)
            .skipping(request.count("skip", 0))
            .limitedTo(limit == 0 ? Query.NO_LIMIT : limit);
    if (!request.flag("allowDiskUse", true)) {
      query = query.withoutDisk();
    }
    Document from = request.document("min");
    Document below = request.document("max");
    if (!from.isEmpty() || !below.isEmpty()) {
      return query.withHint(Hints.between(query.hint(), from, below, documents.spec()));
    }
    Value natural = sort.field("$natural");
    return natural.isNumber() ? query.withHint(natural(natural, query.hint())) : query;
  }

  /** The hint for a {@code $natural} sort; fails if the hint of the request contradicts it. */
  private static Hint natural(Value order, Hint given) {
    Hint.Natural natural = new Hint.Natural(order.asDouble() < 0);
    switch (given) {
      case Hint.Natural hint when !hint.equals(natural) ->
          throw new CommandException(
              ErrorCode.BAD_VALUE,
              "$natural hint must be in the same direction as $natural sort order");
      case Hint.Index _, Hint.MinMax _ ->
          throw new CommandException(
              ErrorCode.BAD_VALUE, "index hint not allowed with $natural sort order");
      case Hint.None _, Hint.Natural _ -> {}
    }
    return natural;
  }

  private static Rows rows(Request request, CollectionOperations documents, Query query) {
    if (request.flag("tailable", false)) {
      if (!documents.spec().capped()) {
        throw new CommandException(
            ErrorCode.BAD_VALUE,
            "error processing query: ns="
                + request.namespace()
                + " tailable cursor requested on non capped collection");
      }
      checkTail(query);
      // as in MongoDB, a tailable cursor on an empty collection is closed at once
      boolean empty = documents.count(Query.of(Filter.all(), Mode.MATCH)) == 0;
      return empty ? Rows.none() : documents.tail(query);
    }
    Optional<Value> id = Ids.only(query);
    return id.isPresent()
        ? Rows.of(documents.read(id.get()).map(List::of).orElse(List.of()))
        : documents.query(query);
  }

  /** Fails if a tailable query needs another order or range than insertion order. */
  private static void checkTail(Query query) {
    boolean backwards = query.hint() instanceof Hint.Natural natural && natural.backward();
    if (!query.order().isEmpty() || backwards) {
      throw new CommandException(
          ErrorCode.BAD_VALUE, "cannot use tailable option with a sort other than {$natural: 1}");
    }
    if (query.hint() instanceof Hint.MinMax) {
      throw new CommandException(
          ErrorCode.NOT_IMPLEMENTED, "a tailable cursor does not support min and max");
    }
  }
}
