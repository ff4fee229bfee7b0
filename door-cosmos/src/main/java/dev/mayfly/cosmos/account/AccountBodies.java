package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Exchange;
import dev.mayfly.cosmos.rest.Failures;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.cosmos.rest.MaxItemCount;
import dev.mayfly.engine.Write;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Bodies of requests and replies for all resources except items. */
public final class AccountBodies {
  public static final int OK = 200;
  public static final int CREATED = 201;
  static final int NO_CONTENT = 204;
  static final int NOT_MODIFIED = 304;

  private static final double READ = 1;
  private static final double WRITTEN = 4.95;

  private AccountBodies() {}

  /** Parses the body of a request. */
  public static Document of(Exchange exchange) {
    return Json.parse(exchange.request().body(), Limits.COSMOS);
  }

  /** Returns a resource, or 304 if the client has this version. */
  public static Reply read(Exchange exchange, Document resource) {
    exchange.charge(READ);
    String known = exchange.request().header(HeaderNames.IF_NONE_MATCH);
    String etag = etag(resource);
    if (known != null && known.equals(etag)) {
      return new Reply(NOT_MODIFIED).header(HeaderNames.ETAG, etag);
    }
    return body(new Reply(OK), resource);
  }

  /** Returns a resource that was written. */
  public static Reply written(Exchange exchange, int status, Document resource) {
    exchange.charge(WRITTEN);
    return body(new Reply(status), resource);
  }

  private static Reply body(Reply reply, Document resource) {
    String etag = etag(resource);
    if (!etag.isEmpty()) {
      reply.header(HeaderNames.ETAG, etag);
    }
    return reply.body(Json.bytes(resource));
  }

  private static String etag(Document resource) {
    Value etag = resource.field("_etag");
    return etag.type() == Type.STRING ? etag.asString() : "";
  }

  static Reply deleted(Exchange exchange) {
    exchange.charge(WRITTEN);
    return new Reply(NO_CONTENT);
  }

  /** Returns one page of a list of resources. */
  public static Reply list(Exchange exchange, String owner, String name, List<Document> all) {
    return results(exchange, owner, name, all.stream().map(Value::of).toList());
  }

  /** Returns one page of the results of a query. */
  public static Reply results(Exchange exchange, String owner, String name, List<Value> all) {
    exchange.charge(READ);
    int from = offset(exchange.request().header(HeaderNames.CONTINUATION));
    int maxCount = MaxItemCount.of(exchange.request()).orElse(-1);
    int start = Math.min(from, all.size());
    int end = maxCount <= 0 ? all.size() : Math.min(all.size(), start + maxCount);
    DocumentWriter writer = Document.writer().put("_rid", owner).startArray(name);
    all.subList(start, end).forEach(writer::add);
    int count = end - start;
    Reply reply = new Reply(OK).header(HeaderNames.ITEM_COUNT, Integer.toString(count));
    if (end < all.size()) {
      reply.header(HeaderNames.CONTINUATION, Integer.toString(end));
    }
    return reply.body(Json.bytes(writer.end().put("_count", count).build()));
  }

  /**
   * Parses the continuation token of a list.
   *
   * @throws CosmosException 400 if it is malformed
   */
  private static int offset(@Nullable String continuation) {
    int offset = continuation == null || continuation.isEmpty() ? 0 : number(continuation);
    if (offset < 0) {
      throw CosmosException.wrong("Invalid Continuation Token");
    }
    return offset;
  }

  /** Parses a number; -1 if the text is not one. */
  private static int number(String text) {
    try {
      return Integer.parseInt(text.strip());
    } catch (NumberFormatException invalid) {
      return -1;
    }
  }

  /** Returns the version that If-Match requires; any version without that header. */
  static long expected(Exchange exchange) {
    String etag = exchange.request().header(HeaderNames.IF_MATCH);
    return etag == null || etag.equals("*") ? Write.ANY_VERSION : Etag.version(etag);
  }

  /** Fails with 412 unless the resource has the version that If-Match requires. */
  static void checkExpected(Exchange exchange, String etag) {
    String required = exchange.request().header(HeaderNames.IF_MATCH);
    if (required != null && !required.equals("*") && !required.equals(etag)) {
      throw Failures.preconditionFailed();
    }
  }
}
