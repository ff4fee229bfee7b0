package dev.mayfly.mongo.read;

import dev.mayfly.mongo.access.CollectionOperations;
import dev.mayfly.mongo.access.Hints;
import dev.mayfly.mongo.access.RequestCollation;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.mql.parser.SortParser;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** Parses filter, sort, collation and hint to an engine query. */
final class Queries {
  private Queries() {}

  /** The filter of a request, with its collation, variables and hint. */
  static Query of(Request request, String field, CollectionOperations documents) {
    Variables variables = Variables.none(request.now()).with(request.document("let"));
    return of(request, request.document(field), Document.EMPTY, documents, variables);
  }

  /** Checks the syntax of a request on a collection that does not exist; returns its filter. */
  static Filter check(Document filter, Document sort, Variables variables) {
    SortParser.parse(sort);
    return FilterParser.parse(filter, variables, Collation.SIMPLE);
  }

  /** A query with the collation and hint of a request. */
  static Query of(
      Request request,
      Document filter,
      Document sort,
      CollectionOperations documents,
      Variables variables) {
    return of(
        filter, sort, request.document("collation"), request.field("hint"), documents, variables);
  }

  /** A query with the collation and hint of a statement. */
  static Query of(
      Document filter,
      Document sort,
      Document collation,
      Value hint,
      CollectionOperations documents,
      Variables variables) {
    Collation order = RequestCollation.of(collation, documents.spec());
    return Query.of(FilterParser.parse(filter, variables, order), Mode.MATCH)
        .orderedBy(SortParser.parse(sort, order).toArray(Sort[]::new))
        .withHint(Hints.of(hint, documents.spec()));
  }
}
