package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code count}: counts the live documents that match a filter. */
public final class CountCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of("query", "limit", "skip", "hint", "collation", "fields");

  private final CollectionAccess access;
  private final Pipelines pipelines;

  public CountCommand(CollectionAccess access, Pipelines pipelines) {
    this.access = access;
    this.pipelines = pipelines;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    long counted =
        access.isView(request.namespace())
            ? ofView(request)
            : access
                .existing(request, request.namespace())
                .map(documents -> documents.count(query(request, documents)))
                .orElseGet(() -> ofNothing(request));
    if (counted <= Integer.MAX_VALUE) {
      reply.put("n", (int) counted);
    } else {
      reply.put("n", counted);
    }
  }

  /** The limit of a request, 0 for none; a negative one means its absolute value. */
  static long limit(Request request) {
    long limit = request.number("limit", 0);
    if (limit == Long.MIN_VALUE) {
      throw new CommandException(ErrorCode.BAD_VALUE, "limit value for count cannot be min long");
    }
    return Math.abs(limit);
  }

  private long ofNothing(Request request) {
    limit(request);
    request.count("skip", 0);
    Queries.check(request.document("query"), Document.EMPTY, Variables.none(request.now()));
    return 0;
  }

  private long ofView(Request request) {
    long counted = 0;
    try (Rows rows = pipelines.rows(request, ViewStages.target(request), ViewStages.of(request))) {
      while (rows.next()) {
        counted++;
      }
    }
    return counted;
  }

  /** The query of a request, with skip and limit. */
  static Query query(Request request, CollectionOperations documents) {
    long limit = limit(request);
    return Queries.of(request, "query", documents)
        .skipping(request.count("skip", 0))
        .limitedTo(limit == 0 ? Query.NO_LIMIT : limit);
  }
}
