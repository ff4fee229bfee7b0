package dev.mayfly.cosmos.query;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Status;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where the next page of a query begins; all there is to it, so that nothing need be kept.
 *
 * @param query which query it belongs to
 * @param place where the engine goes on; empty for the beginning
 * @param birth which item lies behind that place, of which some rows have been given
 * @param rows how many rows of it those are
 * @param results how many results have been given, those that OFFSET leaves out among them
 */
record QueryContinuation(long query, Value place, long birth, long rows, long results) {
  private static final String QUERY = "q";
  private static final String PLACE = "p";
  private static final String BIRTH = "b";
  private static final String ROWS = "r";
  private static final String RESULTS = "n";

  /** The first page. */
  static QueryContinuation beginning(long query) {
    return new QueryContinuation(query, Value.MISSING, 0, 0, 0);
  }

  /**
   * What a client sends, which is the beginning when it sends nothing.
   *
   * @throws CosmosException 400 when it is none of this query
   */
  static QueryContinuation of(@Nullable String header, long query) {
    if (header == null || header.isEmpty()) {
      return beginning(query);
    }
    try {
      Document form = Document.of(Base64.getUrlDecoder().decode(header), Limits.COSMOS);
      QueryContinuation read =
          new QueryContinuation(
              form.field(QUERY).asLong(),
              form.field(PLACE),
              form.field(BIRTH).asLong(),
              form.field(ROWS).asLong(),
              form.field(RESULTS).asLong());
      boolean fits =
          read.query == query
              && read.rows >= 0
              && read.results >= 0
              && (read.place.isMissing() || read.place.type() == Type.BINARY);
      if (fits) {
        return read;
      }
    } catch (IllegalArgumentException | ValueException notOurs) {
      // refused below
    }
    throw refused();
  }

  /** The same with another place to go on from. */
  QueryContinuation movedTo(Value other) {
    return new QueryContinuation(query, other, birth, rows, results);
  }

  /** Behind the item that was looked at, after so many results. */
  QueryContinuation behind(long given) {
    return new QueryContinuation(query, place, 0, 0, given);
  }

  /** Within an item, after so many of its rows and so many results. */
  QueryContinuation within(long item, long some, long given) {
    return new QueryContinuation(query, place, item, some, given);
  }

  static CosmosException refused() {
    return new CosmosException(
        Status.BAD_REQUEST, CosmosException.errors("Invalid Continuation Token"));
  }

  String text() {
    DocumentWriter writer =
        Document.writer().put(QUERY, query).put(BIRTH, birth).put(ROWS, rows).put(RESULTS, results);
    if (!place.isMissing()) {
      writer.put(PLACE, place);
    }
    return Base64.getUrlEncoder().withoutPadding().encodeToString(writer.build().bytes());
  }
}
