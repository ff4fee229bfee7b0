package dev.mayfly.admin;

import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.http.Reply;
import dev.mayfly.http.Request;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Logs slow requests of the Cosmos door: operation and container, without ids and values, which may
 * be confidential.
 */
final class SlowRequests {
  private static final System.Logger LOG = System.getLogger(SlowRequests.class.getName());
  private static final long MILLI = 1_000_000;
  private static final int DATABASE = 2;
  private static final int CONTAINER = 4;
  private static final int MAX_SHAPE_LENGTH = 2_000;

  /** Literals in SQL: quoted strings and numbers. */
  private static final Pattern LITERAL =
      Pattern.compile(
          "\"(?:[^\"\\\\]|\\\\.)*+\"|'(?:[^'\\\\]|\\\\.)*+'|(?<![\\w@])\\d++(?:\\.\\d++)?");

  private final long slowNanos;
  private final Consumer<Document> slow;

  /**
   * Creates the log of a door.
   *
   * @param slow receives what is logged
   */
  SlowRequests(int slowMillis, Consumer<Document> slow) {
    this.slow = slow;
    this.slowNanos = slowMillis * MILLI;
  }

  void log(Request request, String kind, Reply reply, long nanos) {
    if (nanos >= slowNanos) {
      Document entry = entry(request, kind, reply, nanos);
      LOG.log(System.Logger.Level.INFO, "slow operation {0}", entry);
      slow.accept(entry);
    }
  }

  private static Document entry(Request request, String kind, Reply reply, long nanos) {
    DocumentWriter entry =
        Document.writer()
            .put("door", "cosmos")
            .put("operation", kind)
            .put("namespace", namespace(request.path()))
            .put("millis", nanos / MILLI)
            .put("status", reply.status());
    put("requestUnits", reply.header(HeaderNames.CHARGE), entry);
    put("items", reply.header(HeaderNames.ITEM_COUNT), entry);
    if (kind.equals("query")) {
      entry.put("shape", shape(request.body()));
    }
    return entry.build();
  }

  private static void put(String name, @Nullable String figure, DocumentWriter entry) {
    if (figure != null) {
      entry.put(name, Double.parseDouble(figure));
    }
  }

  /**
   * Returns the database and the container of a path such as {@code /dbs/shop/colls/carts/docs/7}.
   */
  private static String namespace(String path) {
    String[] parts = path.split("/", -1);
    if (parts.length <= DATABASE) {
      return "";
    }
    return parts.length <= CONTAINER ? parts[DATABASE] : parts[DATABASE] + "." + parts[CONTAINER];
  }

  static String shape(byte[] body) {
    try {
      Value query = Json.parse(body, Limits.COSMOS).field("query");
      if (query.type() == Type.STRING) {
        String text = query.asString();
        String start = text.substring(0, Math.min(text.length(), MAX_SHAPE_LENGTH));
        return LITERAL.matcher(start).replaceAll("?");
      }
    } catch (ValueException invalid) {
      // not a query: nothing to log
    }
    return "";
  }
}
