package dev.mayfly.admin.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.cosmos.auth.RequestSigner;
import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Requests of Cosmos DB in this process, signed by the server. */
final class CosmosRequests {
  private static final int MAX_ITEMS = 200;
  private static final int FIRST_ERROR = 300;
  private static final int NOT_MODIFIED = 304;
  private static final long MILLI = 1_000_000;
  private static final Limits REPLIES = new Limits(64 << 20, 200);

  /** Headers that the server sets. */
  private static final Set<String> OWN =
      Set.of(HeaderNames.AUTHORIZATION, HeaderNames.MS_DATE, "date", "host", "origin", "cookie");

  private final LongSupplier ticker;
  private final boolean readOnly;
  private volatile @Nullable Door door;

  /** The door, with the signer for its key. */
  private record Door(Handler handler, RequestSigner signer) {}

  CosmosRequests(LongSupplier ticker, boolean readOnly) {
    this.ticker = ticker;
    this.readOnly = readOnly;
  }

  /** Sets the door; without it there are no containers. */
  void door(Handler handler, RequestSigner signer) {
    door = new Door(handler, signer);
  }

  boolean isServed() {
    return door != null;
  }

  /** Sends one request and returns its reply, with documents as texts. */
  Document run(Call call) {
    String method = call.text("method").toUpperCase(Locale.ROOT);
    Map<String, String> headers = headers(call.body().field("headers"));
    if (readOnly && !reads(method, headers)) {
      throw Refusal.readOnly();
    }
    long start = ticker.getAsLong();
    byte[] body = call.text("body", "").getBytes(UTF_8);
    Reply reply = send(method, call.text("path"), headers, body, call.stopped());
    long millis = (ticker.getAsLong() - start) / MILLI;
    if (reply.status() >= FIRST_ERROR && reply.status() != NOT_MODIFIED) {
      throw refusal(reply);
    }
    return answer(reply, millis);
  }

  private static boolean reads(String method, Map<String, String> headers) {
    boolean query =
        method.equals("POST")
            && ("true".equalsIgnoreCase(headers.getOrDefault(HeaderNames.IS_QUERY, ""))
                || "true".equalsIgnoreCase(headers.getOrDefault(HeaderNames.IS_QUERY_PLAN, "")))
            && !headers.containsKey(HeaderNames.IS_UPSERT)
            && !headers.containsKey(HeaderNames.IS_BATCH);
    return query || method.equals("GET") || method.equals("HEAD");
  }

  private static Map<String, String> headers(Value given) {
    Map<String, String> headers = new HashMap<>();
    Fields each = given.isDocument() ? given.asDocument().fields() : Document.EMPTY.fields();
    while (each.next()) {
      String name = each.name().toLowerCase(Locale.ROOT);
      if (each.type() != Type.STRING) {
        throw Refusal.wrong("The header " + name + " must be a string.");
      }
      if (!OWN.contains(name)) {
        headers.put(name, each.value().asString());
      }
    }
    headers.merge(HeaderNames.MAX_ITEM_COUNT, "100", (wanted, _) -> pageSize(wanted));
    return headers;
  }

  private static String pageSize(String wanted) {
    try {
      int items = Integer.parseInt(wanted);
      return Integer.toString(items < 1 || items > MAX_ITEMS ? MAX_ITEMS : items);
    } catch (NumberFormatException invalid) {
      return wanted;
    }
  }

  /** Sends a request to the door. */
  Reply send(
      String method,
      String path,
      Map<String, String> headers,
      byte[] body,
      BooleanSupplier stopped) {
    Door open = door;
    if (open == null) {
      throw Refusal.of(
          Refusal.MISSING,
          "This server has no port for Cosmos DB: it runs with --cosmos-port off.");
    }
    if (!path.startsWith("/dbs") && !path.startsWith("/offers")) {
      throw Refusal.wrong("'path' must begin with /dbs or /offers.");
    }
    try {
      return open.handler().handle(open.signer().sign(method, path, headers, body, stopped));
    } catch (CosmosException unknownPath) {
      throw Refusal.of(Refusal.MISSING, String.valueOf(unknownPath.getMessage()));
    }
  }

  private static Document answer(Reply reply, long millis) {
    DocumentWriter answer = Document.writer().put("status", reply.status()).put("millis", millis);
    String units = reply.header(HeaderNames.CHARGE);
    if (units != null) {
      answer.put("requestUnits", Double.parseDouble(units));
    }
    put("continuation", reply.header(HeaderNames.CONTINUATION), answer);
    put("etag", reply.header(HeaderNames.ETAG), answer);
    put("queryMetrics", reply.header(HeaderNames.QUERY_METRICS), answer);
    if (reply.body().length > 0) {
      write(reply.body(), answer);
    }
    return answer.build();
  }

  private static void put(String name, @Nullable String value, DocumentWriter answer) {
    if (value != null) {
      answer.put(name, value);
    }
  }

  private static void write(byte[] body, DocumentWriter answer) {
    Value documents = parsed(body).field("Documents");
    if (!documents.isArray()) {
      answer.put("body", new String(body, UTF_8));
      return;
    }
    answer.startArray("documents");
    Fields each = documents.asDocument().fields();
    int count = 0;
    while (each.next()) {
      answer.add(Value.of(Json.write(each.value())));
      count++;
    }
    answer.end().put("count", count);
  }

  /** Returns the body of a reply; empty if it is not a JSON object. */
  static Document parsed(byte[] body) {
    try {
      return Json.parse(body, REPLIES);
    } catch (ValueException other) {
      return Document.EMPTY;
    }
  }

  /** Returns the refusal for a reply that reports an error. */
  static Refusal refusal(Reply reply) {
    Document body = parsed(reply.body());
    String message = text(body.field("message"), "The request failed.");
    return Refusal.of(reply.status(), text(body.field("code"), ""), message)
        .with(Document.writer().put("status", reply.status()).build());
  }

  private static String text(Value value, String standard) {
    return value.type() == Type.STRING ? value.asString() : standard;
  }
}
