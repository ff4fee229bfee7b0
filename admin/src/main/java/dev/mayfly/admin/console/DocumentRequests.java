package dev.mayfly.admin.console;

import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.HeaderNames;
import dev.mayfly.engine.Change;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Dialect;
import dev.mayfly.engine.DocumentKey;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.EngineException;
import dev.mayfly.engine.FeedReader;
import dev.mayfly.engine.StoredDocument;
import dev.mayfly.expiry.Deadline;
import dev.mayfly.http.Reply;
import dev.mayfly.mongo.InProcessSession.Answer;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Value;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes of the document editor. A write names the version that the page has shown, and is not done
 * if the document has another one: nobody's change is overwritten unseen. Collections are written
 * by commands, containers by requests of their door, so validators and limits apply.
 */
final class DocumentRequests {
  private static final int MOST = 1_000;
  private static final int OTHER_VERSION = 90_412;
  private static final int NOT_FOUND = 404;
  private static final int CHANGED = 412;
  private static final int FIRST_ERROR = 300;
  private static final long SECOND = 1_000;

  /** How many changes are searched for the end of a document. */
  private static final int SEARCHED = 20_000;

  private static final int READ = 500;

  private final Engine engine;
  private final CosmosRequests cosmos;
  private final SecureRandom random = new SecureRandom();

  DocumentRequests(Engine engine, CosmosRequests cosmos) {
    this.engine = engine;
    this.cosmos = cosmos;
  }

  /** Reports which documents of a group were not written. */
  private static final class Refused {
    private final List<Value> entries = new ArrayList<>();
    private final Set<Integer> indexes = new HashSet<>();

    void add(int index, Refusal why) {
      indexes.add(index);
      entries.add(Value.of(Document.writer().put("index", index).putAll(why.body()).build()));
    }

    void write(DocumentWriter reply) {
      reply.put("refused", Value.array(entries));
    }
  }

  /** Replaces a document if it has the version that the page has shown. */
  Document save(Call call) {
    Collection collection = engine.collection(call.namespace());
    Dialect dialect = collection.spec().dialect();
    DocumentKey key = Texts.key(dialect, call.text("key"));
    String version = call.text("version");
    boolean saved =
        dialect == Dialect.COSMOS ? saveItem(call, key, version) : saveDocument(call, key, version);
    Optional<StoredDocument> now = collection.peek(key);
    if (saved) {
      return Document.writer()
          .put("outcome", "saved")
          .put("key", call.text("key"))
          .put("version", now.map(found -> Long.toString(found.version())).orElse(""))
          .build();
    }
    return now.map(theirs -> changed(call, dialect, theirs))
        .orElseGet(() -> gone(collection, key, version));
  }

  private boolean saveDocument(Call call, DocumentKey key, String version) {
    DocumentWriter update =
        Document.writer()
            .put("q", Document.writer().put("_id", key.id()).build())
            .put("u", Texts.document(call.text("text")));
    putVersion(version, update);
    Document reply =
        run(
            call,
            Document.writer()
                .put("update", call.namespace().collection())
                .put("updates", Value.array(List.of(Value.of(update.build()))))
                .put("bypassEmptyTsReplacement", true)
                .build());
    Value errors = reply.field("writeErrors");
    if (errors.isArray()) {
      Document error = errors.asDocument().field("0").asDocument();
      if (error.field("code").asInt() == OTHER_VERSION) {
        return false;
      }
      throw refusal(error);
    }
    return reply.field("n").asInt() == 1;
  }

  private static void putVersion(String version, DocumentWriter statement) {
    if (!version.isEmpty()) {
      try {
        statement.put("mayflyVersion", Long.parseLong(version));
      } catch (NumberFormatException invalid) {
        throw Refusal.wrong("'version' must be a version of a document, or empty.");
      }
    }
  }

  private static Document run(Call call, Document command) {
    Answer answer =
        call.caller().session().run(call.namespace().database(), command, call.stopped());
    if (!answer.done()) {
      throw MongoRequests.refusal(answer.reply());
    }
    return answer.reply();
  }

  /** Returns the refusal for an entry of {@code writeErrors}. */
  private static Refusal refusal(Document error) {
    Value info = error.field("errInfo");
    Refusal refusal =
        Refusal.of(
            Refusal.WRONG,
            info.isDocument() ? "DocumentValidationFailure" : error.field("code").toString(),
            error.field("errmsg").asString());
    return info.isDocument() ? refusal.with("details", Texts.of(info.asDocument())) : refusal;
  }

  private boolean saveItem(Call call, DocumentKey key, String version) {
    Map<String, String> headers = headers(key.partition());
    putMatch(version, headers);
    byte[] body = Json.bytes(Texts.json(call.text("text")));
    return done(cosmos.send("PUT", item(call, key), headers, body, call.stopped()));
  }

  private static void putMatch(String version, Map<String, String> headers) {
    if (!version.isEmpty()) {
      try {
        headers.put(HeaderNames.IF_MATCH, Etag.of(Long.parseLong(version)));
      } catch (NumberFormatException invalid) {
        throw Refusal.wrong("'version' must be a version of an item, or empty.");
      }
    }
  }

  /** Whether a request was done; false if the item is gone or has changed. */
  private static boolean done(Reply reply) {
    if (reply.status() == CHANGED || reply.status() == NOT_FOUND) {
      return false;
    }
    if (reply.status() >= FIRST_ERROR) {
      throw CosmosRequests.refusal(reply);
    }
    return true;
  }

  private static Map<String, String> headers(List<Value> partition) {
    DocumentWriter key = Document.writer().startArray("key");
    for (Value part : partition) {
      key.add(part.isMissing() ? Value.of(Document.EMPTY) : part);
    }
    Map<String, String> headers = new HashMap<>();
    headers.put(HeaderNames.PARTITION_KEY, Json.write(key.end().build().field("key")));
    return headers;
  }

  private static String items(Call call) {
    String database = call.namespace().database().substring(Caller.COSMOS.length());
    return "/dbs/" + encoded(database) + "/colls/" + encoded(call.names().get(1)) + "/docs";
  }

  private static String item(Call call, DocumentKey key) {
    return items(call) + "/" + encoded(key.id().asString());
  }

  private static String encoded(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static Document changed(Call call, Dialect dialect, StoredDocument theirs) {
    DocumentWriter reply =
        Document.writer().put("outcome", "changed").put("version", Long.toString(theirs.version()));
    if (call.caller().may("find", call.namespace())) {
      reply.put("text", Texts.of(dialect, theirs.document()));
    }
    return reply.build();
  }

  private static Document gone(Collection collection, DocumentKey key, String version) {
    DocumentWriter reply = Document.writer().put("outcome", "gone");
    if (!version.isEmpty()) {
      end(collection, key, Long.parseLong(version))
          .ifPresent(
              change ->
                  reply
                      .put("at", Value.date(ended(change)))
                      .put(
                          "cause",
                          switch (change.cause()) {
                            case WRITE -> "deleted";
                            case CAP -> "capped";
                            case DEADLINE -> "expired";
                            case PARENT -> "deletedWithParent";
                          }));
    }
    return reply.build();
  }

  /** Returns when a document ended: an expired one at its deadline, however late that was noted. */
  private static long ended(Change change) {
    boolean expired = change.kind() == Change.Kind.EXPIRE && change.deadline() != Deadline.NEVER;
    return expired ? change.deadline() : change.time();
  }

  /** Returns the change that has ended a document, if it is among the next ones after a version. */
  private static Optional<Change> end(Collection collection, DocumentKey key, long version) {
    for (FeedReader feed : collection.feeds()) {
      long after = version;
      int searched = 0;
      while (searched < SEARCHED && feed.end() > after) {
        List<Change> changes = read(feed, after);
        if (changes.isEmpty()) {
          break;
        }
        for (Change change : changes) {
          boolean ends = change.kind() == Change.Kind.DELETE || change.kind() == Change.Kind.EXPIRE;
          if (ends && change.key().equals(key)) {
            return Optional.of(change);
          }
        }
        searched += changes.size();
        after = changes.getLast().position();
      }
    }
    return Optional.empty();
  }

  private static List<Change> read(FeedReader feed, long after) {
    try {
      return feed.read(after, READ);
    } catch (EngineException trimmed) {
      return List.of();
    }
  }

  /** Inserts documents, each for itself. */
  Document insert(Call call) {
    Collection collection = engine.collection(call.namespace());
    List<String> texts = call.texts("texts", MOST);
    Refused refused = new Refused();
    List<String> keys =
        collection.spec().dialect() == Dialect.COSMOS
            ? insertItems(call, collection, texts, refused)
            : insertDocuments(call, texts, refused);
    DocumentWriter reply =
        Document.writer()
            .put("inserted", keys.size())
            .put("keys", Value.array(keys.stream().map(Value::of).toList()));
    refused.write(reply);
    return reply.build();
  }

  private List<String> insertDocuments(Call call, List<String> texts, Refused refused) {
    List<Document> documents = new ArrayList<>();
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < texts.size(); i++) {
      try {
        documents.add(withId(Texts.document(texts.get(i))));
        indexes.add(i);
      } catch (Refusal syntax) {
        refused.add(i, syntax);
      }
    }
    if (!documents.isEmpty()) {
      Document reply =
          run(
              call,
              Document.writer()
                  .put("insert", call.namespace().collection())
                  .put("documents", Value.array(documents.stream().map(Value::of).toList()))
                  .put("ordered", false)
                  .put("bypassEmptyTsReplacement", true)
                  .build());
      errors(reply, indexes, refused);
    }
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      if (!refused.indexes.contains(indexes.get(i))) {
        keys.add(Texts.of(Dialect.MONGO, DocumentKey.of(documents.get(i).field("_id"))));
      }
    }
    return keys;
  }

  private static void errors(Document reply, List<Integer> indexes, Refused refused) {
    Value errors = reply.field("writeErrors");
    Fields each = errors.isArray() ? errors.asDocument().fields() : Document.EMPTY.fields();
    while (each.next()) {
      Document error = each.value().asDocument();
      refused.add(indexes.get(error.field("index").asInt()), refusal(error));
    }
  }

  /** Returns a document with an id: the page shows what it has inserted. */
  private Document withId(Document document) {
    if (!document.field("_id").isMissing()) {
      return document;
    }
    byte[] id = new byte[12];
    random.nextBytes(id);
    ByteBuffer.wrap(id).putInt((int) (engine.now() / SECOND));
    DocumentWriter complete = Document.writer().put("_id", Value.objectId(id));
    return complete.putAll(document).build();
  }

  private List<String> insertItems(
      Call call, Collection collection, List<String> texts, Refused refused) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < texts.size() && !call.stopped().getAsBoolean(); i++) {
      try {
        Document item = Texts.json(texts.get(i));
        List<Value> partition = DocumentKey.partition(item, collection.spec().partitionKey());
        Reply reply =
            cosmos.send("POST", items(call), headers(partition), Json.bytes(item), call.stopped());
        if (reply.status() >= FIRST_ERROR) {
          throw CosmosRequests.refusal(reply);
        }
        keys.add(Texts.of(Dialect.COSMOS, new DocumentKey(partition, item.field("id"))));
      } catch (Refusal why) {
        refused.add(i, why);
      }
    }
    return keys;
  }

  /** Deletes documents; those with a version only if they still have it. */
  Document remove(Call call) {
    Collection collection = engine.collection(call.namespace());
    List<String> keys = call.texts("keys", MOST);
    List<String> versions = call.texts("versions", MOST);
    if (!versions.isEmpty() && versions.size() != keys.size()) {
      throw Refusal.wrong("'versions' must have as many entries as 'keys'.");
    }
    return collection.spec().dialect() == Dialect.COSMOS
        ? removeItems(call, keys, versions)
        : removeDocuments(call, keys, versions);
  }

  private static Document removeDocuments(Call call, List<String> keys, List<String> versions) {
    List<Value> deletes = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      Value id = Texts.key(Dialect.MONGO, keys.get(i)).id();
      DocumentWriter delete =
          Document.writer().put("q", Document.writer().put("_id", id).build()).put("limit", 1);
      putVersion(versions.isEmpty() ? "" : versions.get(i), delete);
      deletes.add(Value.of(delete.build()));
    }
    Refused refused = new Refused();
    List<Value> changed = new ArrayList<>();
    int removed = 0;
    if (!deletes.isEmpty()) {
      Document reply =
          run(
              call,
              Document.writer()
                  .put("delete", call.namespace().collection())
                  .put("deletes", Value.array(deletes))
                  .put("ordered", false)
                  .build());
      removed = reply.field("n").asInt();
      Value errors = reply.field("writeErrors");
      Fields each = errors.isArray() ? errors.asDocument().fields() : Document.EMPTY.fields();
      while (each.next()) {
        Document error = each.value().asDocument();
        int index = error.field("index").asInt();
        if (error.field("code").asInt() == OTHER_VERSION) {
          changed.add(Value.of(keys.get(index)));
        } else {
          refused.add(index, refusal(error));
        }
      }
    }
    return removal(keys.size(), removed, changed, refused);
  }

  private static Document removal(int all, int removed, List<Value> changed, Refused refused) {
    DocumentWriter reply =
        Document.writer()
            .put("removed", removed)
            .put("gone", all - removed - changed.size() - refused.entries.size())
            .put("changed", Value.array(changed));
    refused.write(reply);
    return reply.build();
  }

  private Document removeItems(Call call, List<String> keys, List<String> versions) {
    Refused refused = new Refused();
    List<Value> changed = new ArrayList<>();
    int removed = 0;
    int done = 0;
    for (int i = 0; i < keys.size() && !call.stopped().getAsBoolean(); i++) {
      done++;
      try {
        DocumentKey key = Texts.key(Dialect.COSMOS, keys.get(i));
        Map<String, String> headers = headers(key.partition());
        putMatch(versions.isEmpty() ? "" : versions.get(i), headers);
        Reply reply = cosmos.send("DELETE", item(call, key), headers, new byte[0], call.stopped());
        removed += done(reply) ? 1 : 0;
        if (reply.status() == CHANGED) {
          changed.add(Value.of(keys.get(i)));
        }
      } catch (Refusal why) {
        refused.add(i, why);
      }
    }
    return removal(done, removed, changed, refused);
  }
}
