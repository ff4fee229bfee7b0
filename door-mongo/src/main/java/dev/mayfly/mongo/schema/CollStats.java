package dev.mayfly.mongo.schema;

import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Command;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.value.DocumentWriter;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * {@code collStats}: how much a collection holds.
 *
 * <p>Documents and indexes of a collection lie in the same files: what they take on disk is told as
 * the storage of the collection, and the sizes of indexes as 0.
 */
public final class CollStats implements Command {
  private final Namespaces namespaces;

  public CollStats(Namespaces namespaces) {
    this.namespaces = namespaces;
  }

  @Override
  public void run(Request request, DocumentWriter reply) {
    request.allow(Set.of("scale"));
    long scale = Sizes.scale(request);
    Namespace namespace = request.namespace();
    Optional<Found> found = namespaces.find(namespace).map(Found::asCollection);
    Sizes sizes = found.map(one -> Sizes.of(one.collection())).orElse(Sizes.NONE);
    List<IndexForm> indexes = found.map(one -> Indexes.of(one.spec())).orElse(List.of());
    reply.put("ns", namespace.toString());
    reply.put("size", Sizes.number(sizes.live().bytes() / scale));
    reply.put("count", Sizes.number(sizes.live().documents()));
    if (sizes.live().documents() > 0) {
      reply.put("avgObjSize", Sizes.number(sizes.average()));
    }
    reply.put("numOrphanDocs", 0);
    reply.put("storageSize", Sizes.number(sizes.stored() / scale));
    reply.put("freeStorageSize", 0);
    capped(found.map(Found::spec).orElseGet(CollectionSpec::mongo), scale, reply);
    reply.put("nindexes", indexes.size());
    reply.startDocument("indexDetails").end();
    reply.startArray("indexBuilds");
    found
        .map(one -> one.collection().builds())
        .orElse(List.of())
        .forEach(build -> building(build, reply));
    reply.end();
    reply.put("totalIndexSize", 0);
    reply.put("totalSize", Sizes.number(sizes.stored() / scale));
    reply.startDocument("indexSizes");
    indexes.forEach(index -> reply.put(index.name(), 0));
    reply.end();
    reply.put("scaleFactor", Sizes.number(scale));
  }

  private static void capped(CollectionSpec spec, long scale, DocumentWriter reply) {
    reply.put("capped", spec.capped());
    if (spec.capped()) {
      reply.put("max", Sizes.number(spec.cap().documents()));
      reply.put("maxSize", Sizes.number(spec.cap().bytes() / scale));
    }
  }

  private static void building(BuildProgress build, DocumentWriter reply) {
    reply
        .startDocument()
        .put("name", build.what())
        .put("done", build.records())
        .put("total", build.total())
        .end();
  }
}
