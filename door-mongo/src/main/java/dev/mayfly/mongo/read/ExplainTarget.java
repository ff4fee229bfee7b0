package dev.mayfly.mongo.read;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.CollectionAccess;
import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.Hints;
import dev.mayfly.mongo.collection.Views;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.pipeline.Target;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The query of a command that is explained.
 *
 * @param filter as in the command
 * @param sort as in the command
 * @param projection as in the command; empty for whole documents
 * @param query returns the engine query; empty if a pipeline reads no collection
 * @param doing the outermost stage, such as COUNT or UPDATE; empty if documents are returned
 * @param stages the stages of a pipeline, after those of its view
 * @param taken the number of leading stages that the query replaces
 */
record ExplainTarget(
    Namespace namespace,
    Document filter,
    Document sort,
    Document projection,
    Function<CollectionOperations, Optional<Query>> query,
    String doing,
    List<Document> stages,
    int taken) {
  ExplainTarget {
    stages = List.copyOf(stages);
  }

  /** The stages that run after the query. */
  List<Document> left() {
    return stages.subList(taken, stages.size());
  }

  static ExplainTarget of(Request request, CollectionAccess access, Pipelines pipelines) {
    return switch (request.name()) {
      case "aggregate" ->
          ofPipeline(
              request, AggregateCommand.target(request), request.documents("pipeline"), pipelines);
      case "find", "count", "distinct" ->
          access.isView(request.namespace())
              ? ofPipeline(request, ViewStages.target(request), ViewStages.of(request), pipelines)
              : ofQuery(request);
      case "findAndModify", "findandmodify" ->
          new ExplainTarget(
              request.namespace(),
              request.document("query"),
              request.document("sort"),
              Document.EMPTY,
              documents -> Optional.of(changed(request, request.body(), "query", documents)),
              request.flag("remove", false) ? "DELETE" : "UPDATE",
              List.of(),
              0);
      case "update" -> ofStatement(request, "updates", "UPDATE");
      case "delete" -> ofStatement(request, "deletes", "DELETE");
      default ->
          throw new CommandException(
              ErrorCode.COMMAND_NOT_FOUND,
              "Explain failed due to unknown command: " + request.name());
    };
  }

  private static ExplainTarget ofQuery(Request request) {
    boolean find = request.name().equals("find");
    String filter = find ? "filter" : "query";
    return new ExplainTarget(
        request.namespace(),
        request.document(filter),
        find ? request.document("sort") : Document.EMPTY,
        find ? request.document("projection") : Document.EMPTY,
        documents ->
            Optional.of(
                switch (request.name()) {
                  case "find" -> FindCommand.query(request, documents);
                  case "count" -> CountCommand.query(request, documents);
                  default -> DistinctCommand.query(request, documents);
                }),
        request.name().equals("count") ? "COUNT" : "",
        List.of(),
        0);
  }

  private static ExplainTarget ofStatement(Request request, String field, String doing) {
    List<Document> statements = request.documents(field);
    if (statements.size() != 1) {
      throw new CommandException(
          ErrorCode.INVALID_LENGTH, "explained write batches must be of size 1");
    }
    Document statement = statements.getFirst();
    return new ExplainTarget(
        request.namespace(),
        member(statement, "q"),
        member(statement, "sort"),
        Document.EMPTY,
        documents -> Optional.of(changed(request, statement, "q", documents)),
        doing,
        List.of(),
        0);
  }

  private static Query changed(
      Request request, Document statement, String filter, CollectionOperations documents) {
    Variables variables = Variables.none(request.now()).with(request.document("let"));
    Query query =
        Queries.of(
            member(statement, filter),
            member(statement, "sort"),
            member(statement, "collation"),
            statement.field("hint"),
            documents,
            variables);
    boolean all =
        statement.field("limit").equals(Value.of(0)) || statement.field("multi").equals(Value.TRUE);
    return all ? query : query.limitedTo(1);
  }

  private static Document member(Document statement, String name) {
    Value value = statement.field(name);
    return value.isDocument() ? value.asDocument() : Document.EMPTY;
  }

  private static ExplainTarget ofPipeline(
      Request request, Target target, List<Document> stages, Pipelines pipelines) {
    Optional<Query> query = pipelines.query(request, target, stages);
    if (query.isEmpty()) {
      return new ExplainTarget(
          new Namespace(target.database(), target.collection()),
          Document.EMPTY,
          Document.EMPTY,
          Document.EMPTY,
          _ -> Optional.empty(),
          "",
          stages,
          0);
    }
    Views.Source source = pipelines.followed(target, stages);
    int conditions = run(source.stages(), 0, "$match");
    int order = query.get().order().isEmpty() ? conditions : conditions + 1;
    int rest = run(source.stages(), order, "$skip", "$limit");
    return new ExplainTarget(
        source.namespace(),
        conjunction(source.stages().subList(0, conditions)),
        order == conditions ? Document.EMPTY : member(source.stages().get(conditions), "$sort"),
        Document.EMPTY,
        documents -> query.map(unhinted -> hinted(unhinted, request, documents)),
        "",
        source.stages(),
        rest);
  }

  private static Query hinted(Query query, Request request, CollectionOperations documents) {
    Value hint = request.field("hint");
    return hint.isMissing() ? query : query.withHint(Hints.of(hint, documents.spec()));
  }

  /** The index after the consecutive stages with these names that start at an index. */
  private static int run(List<Document> stages, int from, String... names) {
    int at = from;
    while (at < stages.size()) {
      Document stage = stages.get(at);
      if (List.of(names).stream().allMatch(name -> stage.field(name).isMissing())) {
        return at;
      }
      at++;
    }
    return at;
  }

  private static Document conjunction(List<Document> matches) {
    if (matches.size() == 1) {
      return member(matches.getFirst(), "$match");
    }
    if (matches.isEmpty()) {
      return Document.EMPTY;
    }
    DocumentWriter all = Document.writer().startArray("$and");
    matches.forEach(match -> all.add(match.field("$match")));
    return all.end().build();
  }
}
