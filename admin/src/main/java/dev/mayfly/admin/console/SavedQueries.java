package dev.mayfly.admin.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Durability;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.Grouping;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.Write;
import dev.mayfly.mongo.command.Identity;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Saved queries of the users, in a collection of the database config. */
final class SavedQueries {
  private static final Namespace NAMESPACE = new Namespace("config", "mayfly.queries");
  private static final int MOST = 200;
  private static final int MAX_BYTES = 16 << 10;
  private static final int MAX_NAME = 200;

  private final Engine engine;

  SavedQueries(Engine engine) {
    this.engine = engine;
  }

  /** Returns the queries of the user, by id. */
  Document list(Call call) {
    DocumentWriter reply = Document.writer().startArray("queries");
    for (Document query : of(owner(call))) {
      reply.add(Value.of(query.field("query").asDocument()));
    }
    return reply.end().build();
  }

  private List<Document> of(String owner) {
    List<Document> found = new ArrayList<>();
    Optional<Collection> stored = engine.find(NAMESPACE);
    if (stored.isEmpty()) {
      return found;
    }
    try (Cursor cursor = stored.get().query(Query.of(Filter.all(), Mode.MATCH))) {
      while (cursor.next()) {
        if (cursor.document().field("owner").equals(Value.of(owner))) {
          found.add(cursor.document());
        }
      }
    }
    return found;
  }

  /** Saves a query under the id in the path. */
  Document put(Call call) {
    String owner = owner(call);
    String id = call.names().getFirst();
    Document query =
        Document.writer()
            .put("id", id)
            .put("name", call.text("name"))
            .put("database", call.text("database", ""))
            .put("collection", call.text("collection", ""))
            .put("text", call.text("text"))
            .put("savedAt", Value.date(engine.now()))
            .build();
    if (call.text("text").getBytes(UTF_8).length > MAX_BYTES
        || id.length() > MAX_NAME
        || call.text("name").length() > MAX_NAME) {
      throw Refusal.wrong(
          "A query may have at most 16 KiB, its name and its id " + MAX_NAME + " characters.");
    }
    List<Document> others =
        of(owner).stream().filter(one -> !one.field("_id").equals(key(owner, id))).toList();
    if (others.size() >= MOST) {
      throw Refusal.of(
          Refusal.CONFLICT, "You have " + MOST + " saved queries: remove one of them first.");
    }
    write(
        new Write.Upsert(
            Document.writer()
                .put("_id", key(owner, id))
                .put("owner", owner)
                .put("query", query)
                .build()));
    return query;
  }

  Document remove(Call call) {
    try {
      if (engine.find(NAMESPACE).isPresent()) {
        write(new Write.Delete(DocumentKey.of(key(owner(call), call.names().getFirst()))));
      }
    } catch (EngineException missing) {
      if (missing.reason() != EngineException.Reason.NOT_FOUND) {
        throw missing;
      }
    }
    return Document.EMPTY;
  }

  private static Value key(String owner, String id) {
    return Value.of(owner + "/" + id);
  }

  private void write(Write write) {
    Collection collection =
        engine.find(NAMESPACE).orElseGet(() -> engine.create(NAMESPACE, CollectionSpec.mongo()));
    collection.write(List.of(write), Grouping.ATOMIC, Durability.SYNCED).only();
  }

  /** Users without a name share their queries. */
  private static String owner(Call call) {
    return call.caller().user().map(Identity::toString).orElse("");
  }
}
