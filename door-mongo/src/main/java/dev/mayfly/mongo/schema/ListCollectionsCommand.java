package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.Description;
import dev.mayfly.mongo.collection.Filters;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Client;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.query.Matcher;
import dev.mayfly.query.Mode;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** {@code listCollections}: the collections and views of a database. */
public final class ListCollectionsCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of("filter", "nameOnly", "authorizedCollections", "cursor");

  private final Namespaces namespaces;
  private final BiPredicate<Client, Namespace> usable;
  private final Listing listing;

  /**
   * @param usable whether a client has any privilege on a collection
   */
  public ListCollectionsCommand(
      Namespaces namespaces, Cursors cursors, BiPredicate<Client, Namespace> usable) {
    this.namespaces = namespaces;
    this.usable = usable;
    this.listing = new Listing(cursors);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Names.checkDatabase(request.database());
    Matcher filter = Filters.parse(request.document("filter")).matcher(Mode.MATCH);
    boolean nameOnly = request.flag("nameOnly", false);
    boolean usableOnly = nameOnly && request.flag("authorizedCollections", false);
    List<Document> items = new ArrayList<>();
    for (Namespace name : namespaces.of(request.database())) {
      Optional<Found> found = namespaces.find(name);
      if (found.isPresent() && (!usableOnly || usable.test(request.client(), name))) {
        Document item = item(found.get());
        if (filter.matches(item)) {
          items.add(nameOnly ? nameOf(item) : item);
        }
      }
    }
    listing.write(request, reply, request.database() + ".$cmd.listCollections", items);
  }

  private static Document item(Found found) {
    DocumentWriter item =
        Document.writer()
            .put("name", found.collection().namespace().collection())
            .put("type", found.isView() ? "view" : "collection")
            .put("options", Description.of(found.spec()))
            .startDocument("info")
            .put("readOnly", found.isView());
    if (found.isView()) {
      return item.end().build();
    }
    item.put("uuid", Uuids.value(found.collection().uuid())).end();
    IndexForm ofId = Indexes.of(found.spec()).getFirst();
    if (!ofId.clustered()) {
      item.put("idIndex", ofId.description());
    }
    return item.build();
  }

  private static Document nameOf(Document item) {
    return Document.writer()
        .put("name", item.field("name"))
        .put("type", item.field("type"))
        .build();
  }
}
