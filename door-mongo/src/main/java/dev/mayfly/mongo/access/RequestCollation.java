package dev.mayfly.mongo.access;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** The collation of an operation: the one in the request, else the default of the collection. */
public final class RequestCollation {
  private RequestCollation() {}

  public static Collation of(Request request, CollectionSpec spec) {
    return of(request.document("collation"), spec);
  }

  /** The collation of a statement; empty for the default of the collection. */
  public static Collation of(Document requested, CollectionSpec spec) {
    return of(requested.isEmpty() ? defaultOf(spec) : requested);
  }

  /** Parses a collation; empty for the simple collation. */
  public static Collation of(Document syntax) {
    return syntax.isEmpty() ? Collation.SIMPLE : CollationParser.parse(syntax);
  }

  private static Document defaultOf(CollectionSpec spec) {
    Value stored = spec.options().field("collation");
    return stored.isDocument() ? stored.asDocument() : Document.EMPTY;
  }
}
