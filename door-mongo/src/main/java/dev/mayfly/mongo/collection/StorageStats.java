package dev.mayfly.mongo.collection;

import dev.mayfly.engine.BuildProgress;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.OperationContext;
import dev.mayfly.value.DocumentWriter;
import java.util.List;

/**
 * Storage statistics of a collection, as {@code collStats} and {@code $collStats} report them.
 *
 * <p>Documents are stored in the order of their ids, so the size of the {@code _id} index is 0.
 */
public record StorageStats(
    Sizes sizes, CollectionSpec spec, List<IndexForm> indexes, List<BuildProgress> builds) {
  /** The statistics of a collection that does not exist. */
  public static final StorageStats NONE =
      new StorageStats(Sizes.NONE, CollectionSpec.mongo(), List.of(), List.of());

  public StorageStats {
    indexes = List.copyOf(indexes);
    builds = List.copyOf(builds);
  }

  /** Reads the current statistics of a collection. */
  public static StorageStats of(OperationContext operation, Namespaces.Found found) {
    return new StorageStats(
        Sizes.of(operation, found.collection()),
        found.spec(),
        Indexes.of(found.spec()),
        found.collection().builds());
  }

  /** Writes the fields. Sizes are divided by the scale. */
  public void write(long scale, DocumentWriter to) {
    to.put("size", Sizes.number(sizes.live().bytes() / scale));
    to.put("count", Sizes.number(sizes.live().documents()));
    if (sizes.live().documents() > 0) {
      to.put("avgObjSize", Sizes.number(sizes.average()));
    }
    to.put("numOrphanDocs", 0);
    to.put("storageSize", Sizes.number(sizes.ofDocuments() / scale));
    to.put("freeStorageSize", 0);
    writeCap(scale, to);
    to.put("nindexes", indexes.size());
    to.startDocument("indexDetails").end();
    to.startArray("indexBuilds");
    builds.forEach(build -> write(build, to));
    to.end();
    to.put("totalIndexSize", Sizes.number(sizes.ofIndexes() / scale));
    to.put("totalSize", Sizes.number(sizes.stored() / scale));
    to.startDocument("indexSizes");
    indexes.forEach(
        index ->
            to.put(
                index.name(),
                Sizes.number(sizes.indexes().getOrDefault(index.name(), 0L) / scale)));
    to.end();
    to.put("scaleFactor", Sizes.number(scale));
  }

  private void writeCap(long scale, DocumentWriter to) {
    to.put("capped", spec.capped());
    if (spec.capped()) {
      to.put("max", Sizes.number(spec.cap().documents()));
      to.put("maxSize", Sizes.number(spec.cap().bytes() / scale));
    }
  }

  private static void write(BuildProgress build, DocumentWriter to) {
    to.startDocument()
        .put("name", build.what())
        .put("done", build.records())
        .put("total", build.total())
        .end();
  }
}
