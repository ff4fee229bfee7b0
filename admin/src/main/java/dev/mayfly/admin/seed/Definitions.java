package dev.mayfly.admin.seed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.admin.AdminException;
import dev.mayfly.admin.AdminRequests;
import dev.mayfly.cosmos.auth.RequestSigner;
import dev.mayfly.http.Handler;
import dev.mayfly.http.Reply;
import dev.mayfly.mongo.InProcessSession;
import dev.mayfly.mongo.MongoDoor;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Value;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Definitions of all collections and containers, in the form in which clients create them: for a
 * collection {@code options} and {@code indexes} of MongoDB's commands and {@code rules} of the
 * admin API, for a container its resource without system properties. Runs commands and requests
 * through the doors. Safe for many threads.
 */
public final class Definitions {
  /** Databases of the server itself. */
  static final Set<String> OWN_DATABASES = Set.of("admin", "config", "local");

  private static final String SYSTEM = "system.";
  private static final String RULES = "rules";
  private static final Set<String> PARTS = Set.of("options", "indexes", RULES);
  private static final int CREATED = 201;
  private static final int CONFLICT = 409;
  private static final int OK = 200;
  private static final int DELETED = 204;

  private final MongoDoor mongo;
  private final AdminRequests adminApi;
  private final Supplier<Optional<Cosmos>> cosmos;

  /** The Cosmos door, with the signer for its key. */
  public record Cosmos(Handler handler, RequestSigner signer) {}

  /** Protocol of a collection: the name of its directory in a seed. */
  enum Kind {
    MONGO("mongo"),
    COSMOS("cosmos");

    private final String word;

    Kind(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** A reply that reports a failure. */
  static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1;

    Refused(String message) {
      super(message, null, false, false);
    }
  }

  /**
   * @param cosmos the Cosmos door; empty if the server has none
   */
  public Definitions(MongoDoor mongo, AdminRequests adminApi, Supplier<Optional<Cosmos>> cosmos) {
    this.mongo = mongo;
    this.adminApi = adminApi;
    this.cosmos = cosmos;
  }

  /** Returns {@code definitions}: kind, database, name and definition of each. */
  public Document list() {
    DocumentWriter reply = Document.writer().startArray("definitions");
    try (InProcessSession session = mongo.session(Optional.empty(), "definitions")) {
      listCollections(session, reply);
    }
    if (cosmos.get().isPresent()) {
      listContainers(reply);
    }
    return reply.end().build();
  }

  private void listCollections(InProcessSession session, DocumentWriter reply) {
    Document all = run(session, "admin", Document.writer().put("listDatabases", 1).build());
    Fields databases = all.field("databases").asDocument().fields();
    while (databases.next()) {
      String database = databases.value().asDocument().field("name").asString();
      if (OWN_DATABASES.contains(database)) {
        continue;
      }
      for (Document found :
          batches(session, database, Document.writer().put("listCollections", 1).build())) {
        String name = found.field("name").asString();
        if (!name.startsWith(SYSTEM)) {
          Document definition = collection(session, database, name, found);
          add(reply, Kind.MONGO, database, name, definition);
        }
      }
    }
  }

  private Document collection(
      InProcessSession session, String database, String name, Document found) {
    DocumentWriter definition = Document.writer().put("options", found.field("options"));
    if (!found.field("type").asString().equals("view")) {
      List<Document> indexes = indexes(session, database, name);
      definition.put("indexes", Value.array(indexes.stream().map(Value::of).toList()));
      Document rules = adminApi.answer("GET", path(database, name), Document.EMPTY);
      defaultRule(rules.field(RULES).asDocument(), indexes, definition);
    }
    return definition.build();
  }

  private static List<Document> indexes(InProcessSession session, String database, String name) {
    return batches(session, database, Document.writer().put("listIndexes", name).build()).stream()
        .filter(
            index ->
                !index.field("name").asString().equals("_id_")
                    && index.field("clustered").isMissing())
        .map(index -> without(index, Set.of("v", "ns")))
        .toList();
  }

  /**
   * Adds the default TTL, unless it is that of a TTL index on {@code _ts}. All other rules are in
   * the options and indexes.
   */
  private static void defaultRule(Document rules, List<Document> indexes, DocumentWriter to) {
    boolean listed =
        rules.field("property").isMissing()
            && indexes.stream().anyMatch(Definitions::isLastWriteTtl);
    if (rules.field("default").isMissing() || listed) {
      return;
    }
    to.startDocument(RULES);
    for (String field : List.of("default", "property", "propertyFormat")) {
      to.put(field, rules.field(field));
    }
    Value sliding = rules.field("sliding");
    if (sliding.isDocument() && !sliding.asDocument().field("default").isMissing()) {
      to.startDocument("sliding").put("default", sliding.asDocument().field("default")).end();
    }
    to.end();
  }

  private static boolean isLastWriteTtl(Document index) {
    return !index.field("expireAfterSeconds").isMissing()
        && !index.field("key").asDocument().field("_ts").isMissing();
  }

  /** Path of a collection in the admin API. */
  private static String path(String database, String name) {
    return "/collections/" + escaped(database) + "/" + escaped(name);
  }

  private static void add(
      DocumentWriter reply, Kind kind, String database, String name, Document definition) {
    reply
        .startDocument()
        .put("kind", kind.word())
        .put("database", database)
        .put("name", name)
        .put("definition", Value.of(definition))
        .end();
  }

  private static Document without(Document document, Set<String> names) {
    DocumentWriter rest = Document.writer();
    Fields each = document.fields();
    while (each.next()) {
      if (!names.contains(each.name())) {
        rest.put(each.name(), each.value());
      }
    }
    return rest.build();
  }

  /** Returns all documents of a cursor. */
  private static List<Document> batches(
      InProcessSession session, String database, Document command) {
    List<Document> all = new ArrayList<>();
    Document cursor = run(session, database, command).field("cursor").asDocument();
    String batch = "firstBatch";
    while (true) {
      Fields each = cursor.field(batch).asDocument().fields();
      while (each.next()) {
        all.add(each.value().asDocument());
      }
      long id = cursor.field("id").asLong();
      if (id == 0) {
        return all;
      }
      String namespace = cursor.field("ns").asString();
      Document next =
          Document.writer()
              .put("getMore", id)
              .put("collection", namespace.substring(namespace.indexOf('.') + 1))
              .build();
      cursor = run(session, database, next).field("cursor").asDocument();
      batch = "nextBatch";
    }
  }

  private static Document run(InProcessSession session, String database, Document command) {
    InProcessSession.Answer answer = session.run(database, command, () -> false);
    if (!answer.done()) {
      throw new Refused(answer.reply().field("errmsg").asString());
    }
    Value errors = answer.reply().field("writeErrors");
    if (!errors.isMissing()) {
      Fields each = errors.asDocument().fields();
      each.next();
      throw new Refused(each.value().asDocument().field("errmsg").asString());
    }
    return answer.reply();
  }

  private void listContainers(DocumentWriter reply) {
    for (Document database : feed("/dbs", "Databases")) {
      String name = database.field("id").asString();
      for (Document container : feed("/dbs/" + escaped(name) + "/colls", "DocumentCollections")) {
        DocumentWriter definition = Document.writer();
        Fields each = container.fields();
        while (each.next()) {
          if (!each.name().startsWith("_")) {
            definition.put(each.name(), each.value());
          }
        }
        add(reply, Kind.COSMOS, name, container.field("id").asString(), definition.build());
      }
    }
  }

  private List<Document> feed(String path, String list) {
    Reply reply = send("GET", path, Map.of("x-ms-max-item-count", "-1"), "", OK);
    List<Document> all = new ArrayList<>();
    Fields each =
        Json.parse(new String(reply.body(), UTF_8), Limits.COSMOS)
            .field(list)
            .asDocument()
            .fields();
    while (each.next()) {
      all.add(each.value().asDocument());
    }
    return all;
  }

  private Reply send(
      String method, String path, Map<String, String> headers, String body, int... expected) {
    Cosmos door =
        cosmos
            .get()
            .orElseThrow(
                () -> new Refused("the server has no port for Cosmos DB (--cosmos-port off)"));
    Reply reply =
        door.handler()
            .handle(door.signer().sign(method, path, headers, body.getBytes(UTF_8), () -> false));
    for (int status : expected) {
      if (reply.status() == status) {
        return reply;
      }
    }
    Value message = Json.parse(new String(reply.body(), UTF_8), Limits.COSMOS).field("message");
    throw new Refused(message.isMissing() ? "status " + reply.status() : message.asString());
  }

  private static String escaped(String name) {
    return URLEncoder.encode(name, UTF_8).replace("+", "%20");
  }

  /**
   * Creates a collection or container.
   *
   * @throws Refused if the door refuses it
   */
  void create(Kind kind, String database, String name, Document definition) {
    switch (kind) {
      case MONGO -> createCollection(database, name, definition);
      case COSMOS -> createContainer(database, name, definition);
    }
  }

  private void createCollection(String database, String name, Document definition) {
    Fields parts = definition.fields();
    while (parts.next()) {
      if (!PARTS.contains(parts.name())) {
        throw new Refused("'" + parts.name() + "' is unknown; use options, indexes, rules");
      }
    }
    try (InProcessSession session = mongo.session(Optional.empty(), "seed")) {
      DocumentWriter create = Document.writer().put("create", name);
      create.putAll(object(definition, "options"));
      var _ = run(session, database, create.build());
      Value indexes = definition.field("indexes");
      if (!indexes.isMissing() && indexes.asDocument().fields().next()) {
        var _ =
            run(
                session,
                database,
                Document.writer().put("createIndexes", name).put("indexes", indexes).build());
      }
    }
    Document rules = object(definition, RULES);
    if (rules.fields().next()) {
      setRules(database, name, rules);
    }
  }

  private static Document object(Document definition, String part) {
    Value value = definition.field(part);
    if (value.isMissing()) {
      return Document.EMPTY;
    }
    if (!value.isDocument()) {
      throw new Refused("'" + part + "' must be an object");
    }
    return value.asDocument();
  }

  private void setRules(String database, String name, Document rules) {
    try {
      var _ = adminApi.answer("POST", path(database, name) + "/ttl", rules);
    } catch (AdminException refused) {
      throw new Refused(String.valueOf(refused.getMessage()));
    }
  }

  private void createContainer(String database, String name, Document definition) {
    String id = Json.write(Document.writer().put("id", database).build());
    var _ = send("POST", "/dbs", Map.of(), id, CREATED, CONFLICT);
    DocumentWriter body = Document.writer().put("id", name);
    body.putAll(without(definition, Set.of("id")));
    var _ =
        send(
            "POST",
            "/dbs/" + escaped(database) + "/colls",
            Map.of(),
            Json.write(body.build()),
            CREATED);
  }

  /** Inserts documents into a collection, as its clients do. */
  void insert(String database, String name, List<Document> documents) {
    try (InProcessSession session = mongo.session(Optional.empty(), "seed")) {
      List<Value> values = documents.stream().map(Value::of).toList();
      var _ =
          run(
              session,
              database,
              Document.writer().put("insert", name).put("documents", Value.array(values)).build());
    }
  }

  /** Drops a database, with everything in it. */
  void drop(Kind kind, String database) {
    switch (kind) {
      case MONGO -> {
        try (InProcessSession session = mongo.session(Optional.empty(), "seed")) {
          var _ = run(session, database, Document.writer().put("dropDatabase", 1).build());
        }
      }
      case COSMOS -> {
        var _ = send("DELETE", "/dbs/" + escaped(database), Map.of(), "", DELETED, 404);
      }
    }
  }
}
