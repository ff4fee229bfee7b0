package dev.mayfly.mongo.access;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.parser.CollationParser;
import dev.mayfly.query.Collation;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/** The collation of an operation: its own, else that of the collection. */
public final class RequestCollation {
  private RequestCollation() {}

  public static Collation of(Request request, CollectionSpec spec) {
    return of(request.document("collation"), spec);
  }

  /** The collation that a statement asks for; that of the collection when it says nothing. */
  public static Collation of(Document asked, CollectionSpec spec) {
    return of(asked.isEmpty() ? standard(spec) : asked);
  }

  /** The collation of this syntax; the simple one when it is empty. */
  public static Collation of(Document syntax) {
    return syntax.isEmpty() ? Collation.SIMPLE : CollationParser.parse(syntax);
  }

  private static Document standard(CollectionSpec spec) {
    Value kept = spec.options().field("collation");
    return kept.isDocument() ? kept.asDocument() : Document.EMPTY;
  }
}
