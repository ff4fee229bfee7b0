package dev.mayfly.mongo.write;

import dev.mayfly.engine.Write;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.Scope;
import dev.mayfly.mql.update.Update;
import dev.mayfly.mql.update.UpdateContext;
import dev.mayfly.mql.update.UpsertDocument;
import dev.mayfly.query.MatchOrder;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.Limits;
import java.util.function.Consumer;

/**
 * One parsed update statement: query, update and upsert flag.
 *
 * <p>For one thread at a time: the matcher keeps the array position of its last match.
 */
final class UpdateStatement {
  private final Query query;
  private final Update update;
  private final boolean upsert;
  private final Scope scope;
  private final long now;
  private final long version;
  private final Matcher matcher;

  UpdateStatement(Query query, Update update, boolean upsert, Scope scope, long now) {
    this(query, update, upsert, scope, now, Write.ANY_VERSION);
  }

  /**
   * A statement for a document of a certain version.
   *
   * @param version the version that the document must have
   */
  UpdateStatement(Query query, Update update, boolean upsert, Scope scope, long now, long version) {
    this.version = version;
    this.query = query;
    this.update = update;
    this.upsert = upsert;
    this.scope = scope;
    this.now = now;
    this.matcher = MatchOrder.sorted(query.filter()).matcher(query.mode());
  }

  Query query() {
    return query;
  }

  /** The version that the document must have, or {@link Write#ANY_VERSION}. */
  long version() {
    return version;
  }

  boolean upsert() {
    return upsert;
  }

  /** Whether it is a replacement-style update. */
  boolean replaces() {
    return update.replaces();
  }

  /** Whether a document matches the filter; remembers its array position for {@link #applied}. */
  boolean matches(Document document) {
    return matcher.matches(document);
  }

  /**
   * The updated document, for the document of the last call of {@link #matches}.
   *
   * @param setWhole receives the paths that the update sets as a whole
   */
  Document applied(Document before, Consumer<String> setWhole) {
    return sized(
        update.apply(
            before, scope, UpdateContext.found(matcher.place(), now, timestamp(), setWhole)));
  }

  /** The document that an upsert inserts. */
  Document inserted() {
    return UpsertDocument.of(
        query.filter(), update, scope, UpdateContext.inserting(now, timestamp()));
  }

  private long timestamp() {
    return (now / 1000) << 32 | 1;
  }

  private static Document sized(Document document) {
    if (document.length() > Limits.MONGO.maxBytes()) {
      throw new CommandException(
          ErrorCode.location(17419),
          "Resulting document after update is larger than " + Limits.MONGO.maxBytes());
    }
    return document;
  }
}
