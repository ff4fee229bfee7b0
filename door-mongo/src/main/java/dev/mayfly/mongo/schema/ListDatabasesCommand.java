package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Filters;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** {@code listDatabases}: the databases with collections, and their sizes on disk. */
public final class ListDatabasesCommand implements Command {
  private static final long MEBIBYTE = 1 << 20;

  private final Namespaces namespaces;
  private final BiPredicate<Client, String> visible;

  /**
   * @param visible whether a client may see a database
   */
  public ListDatabasesCommand(Namespaces namespaces, BiPredicate<Client, String> visible) {
    this.namespaces = namespaces;
    this.visible = visible;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("filter", "nameOnly", "authorizedDatabases"));
    if (!request.database().equals("admin")) {
      throw new CommandException(
          ErrorCode.UNAUTHORIZED, "listDatabases may only be run against the admin database.");
    }
    boolean nameOnly = request.flag("nameOnly", false);
    Matcher filter = Filters.parse(request.document("filter")).matcher(Mode.MATCH);
    List<Value> items = new ArrayList<>();
    long total = 0;
    for (Map.Entry<String, Long> database : sizes(nameOnly).entrySet()) {
      Document item = item(database.getKey(), database.getValue(), nameOnly);
      if (visible.test(request.client(), database.getKey()) && filter.matches(item)) {
        items.add(Value.of(item));
        total += database.getValue();
      }
    }
    reply.put("databases", Value.array(items));
    if (!nameOnly) {
      reply.put("totalSize", total).put("totalSizeMb", total / MEBIBYTE);
    }
  }

  private Map<String, Long> sizes(boolean nameOnly) {
    Map<String, Long> sizes = new TreeMap<>();
    for (Namespace name : namespaces.all()) {
      long bytes =
          nameOnly
              ? 0
              : namespaces.find(name).map(found -> found.collection().bytesOnDisk()).orElse(0L);
      sizes.merge(name.database(), bytes, Long::sum);
    }
    return sizes;
  }

  private static Document item(String name, long bytes, boolean nameOnly) {
    DocumentWriter item = Document.writer().put("name", name);
    return nameOnly ? item.build() : item.put("sizeOnDisk", bytes).put("empty", false).build();
  }
}
