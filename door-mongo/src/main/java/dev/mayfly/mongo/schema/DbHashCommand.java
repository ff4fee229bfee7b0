package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Collection;
import dev.mayfly.engine.Cursor;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Md5;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Filter;
import dev.mayfly.query.Mode;
import dev.mayfly.query.Query;
import dev.mayfly.query.Sort;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * {@code dbHash}: MD5 hashes of the collections of a database, to compare two servers.
 *
 * <p>The hash of a collection covers its live documents in the order of their ids, or in insertion
 * order if it is capped. The hash of the database covers these hashes in the order of the
 * collection names.
 */
public final class DbHashCommand implements Command {
  private static final Set<String> FIELDS = Set.of("collections", "skipTempCollections");

  private final Namespaces namespaces;
  private final String host;

  public DbHashCommand(Namespaces namespaces, String host) {
    this.namespaces = namespaces;
    this.host = host;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Names.checkDatabase(request.database());
    Set<String> wanted = wanted(request.field("collections"));
    Map<String, Collection> collections = new TreeMap<>();
    for (Namespace name : namespaces.of(request.database())) {
      Optional<Found> found = namespaces.find(name).filter(one -> !one.isView());
      if (found.isPresent() && (wanted.isEmpty() || wanted.contains(name.collection()))) {
        collections.put(name.collection(), found.get().collection());
      }
    }
    reply.put("host", host);
    Md5 all = new Md5();
    reply.startDocument("collections");
    collections.forEach(
        (name, collection) -> {
          String hash = hash(request, collection);
          reply.put(name, hash);
          all.add(hash);
        });
    reply.end().startArray("capped");
    collections.forEach(
        (name, collection) -> {
          if (collection.spec().capped()) {
            reply.add(Value.of(name));
          }
        });
    reply.end().startDocument("uuids");
    collections.forEach((name, collection) -> reply.put(name, Uuids.value(collection.uuid())));
    reply
        .end()
        .put("md5", all.hex())
        .put("timeMillis", TimeUnit.NANOSECONDS.toMillis(request.operation().runningNanos()));
  }

  private static Set<String> wanted(Value requested) {
    Set<String> wanted = new HashSet<>();
    if (requested.isArray()) {
      Fields names = requested.asDocument().fields();
      while (names.next()) {
        if (names.type() != Type.STRING) {
          throw new CommandException(ErrorCode.BAD_VALUE, "collections entries have to be strings");
        }
        wanted.add(names.value().asString());
      }
    }
    return wanted;
  }

  private static String hash(Request request, Collection collection) {
    Md5 digest = new Md5();
    Query all = Query.of(Filter.and(List.of()), Mode.MATCH).withoutTouch();
    Query query =
        collection.spec().capped() ? all : all.orderedBy(Sort.ascending(FieldPath.of("_id")));
    try (Cursor cursor = collection.query(request.operation(), query)) {
      while (cursor.next()) {
        Document document = cursor.document();
        digest.add(document.buffer(), document.offset(), document.length());
        request.check();
      }
    }
    return digest.hex();
  }
}
