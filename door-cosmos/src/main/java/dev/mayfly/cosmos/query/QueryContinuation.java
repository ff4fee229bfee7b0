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
 * Continuation token of a query: where the next page begins. It is complete, so the server need not
 * keep state between pages.
 *
 * @param query fingerprint of the query it belongs to
 * @param place where the engine resumes; missing for the beginning
 * @param birth birth number of the item after that place, if some of its rows were returned
 * @param rows number of its rows that were returned
 * @param results number of results so far, including those that OFFSET skips
 */
record QueryContinuation(long query, Value place, long birth, long rows, long results) {
  private static final String QUERY = "q";
  private static final String PLACE = "p";
  private static final String BIRTH = "b";
  private static final String ROWS = "r";
  private static final String RESULTS = "n";

  /** Returns the token of the first page. */
  static QueryContinuation beginning(long query) {
    return new QueryContinuation(query, Value.MISSING, 0, 0, 0);
  }

  /**
   * Parses the token of a request; the beginning if there is none.
   *
   * @throws CosmosException 400 if it is malformed or belongs to another query
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
    } catch (IllegalArgumentException | ValueException invalid) {
      // rejected below
    }
    throw refused();
  }

  /** Returns the token with another place to resume at. */
  QueryContinuation movedTo(Value other) {
    return new QueryContinuation(query, other, birth, rows, results);
  }

  /** Returns the token for a page that computes the query again and skips the first results. */
  QueryContinuation restartAfter(long count) {
    return new QueryContinuation(query, Value.MISSING, 0, 0, count);
  }

  /** Returns the token after the current item and {@code count} results. */
  QueryContinuation afterItem(long count) {
    return new QueryContinuation(query, place, 0, 0, count);
  }

  /** Returns the token within an item, after some of its rows and {@code count} results. */
  QueryContinuation within(long item, long rowsOfItem, long count) {
    return new QueryContinuation(query, place, item, rowsOfItem, count);
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
