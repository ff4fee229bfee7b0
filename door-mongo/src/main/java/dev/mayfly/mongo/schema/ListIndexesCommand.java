package dev.mayfly.mongo.schema;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.value.DocumentWriter;
import java.util.Set;

/** {@code listIndexes}: the indexes of a collection, the {@code _id} index first. */
public final class ListIndexesCommand implements Command {
  private static final Set<String> FIELDS =
      Set.of("cursor", "includeBuildUUIDs", "includeIndexBuildInfo");

  private final Namespaces namespaces;
  private final Listing listing;

  public ListIndexesCommand(Namespaces namespaces, Cursors cursors) {
    this.namespaces = namespaces;
    this.listing = new Listing(cursors);
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(FIELDS);
    Namespace namespace = request.namespace();
    Namespaces.Found found = namespaces.collection(namespace, "ns does not exist: " + namespace);
    listing.write(
        request,
        reply,
        namespace.toString(),
        Indexes.of(found.spec()).stream().map(IndexForm::description).toList());
  }
}
