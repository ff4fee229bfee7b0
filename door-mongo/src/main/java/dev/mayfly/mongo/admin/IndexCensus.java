package dev.mayfly.mongo.admin;

import dev.mayfly.engine.Namespace;
import dev.mayfly.mongo.access.IndexUsage;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.collection.Namespaces.Found;
import dev.mayfly.mongo.command.Names;
import dev.mayfly.value.DocumentWriter;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Section {@code indexStats} of {@code serverStatus}: number and uses of the existing indexes, by
 * feature. Indexes of internal databases are not counted. Thread-safe.
 */
public final class IndexCensus {
  private final Namespaces namespaces;
  private final IndexUsage indexUsage;

  public IndexCensus(Namespaces namespaces, IndexUsage indexUsage) {
    this.namespaces = namespaces;
    this.indexUsage = indexUsage;
  }

  /** Features of indexes, in the order of the reply. */
  private enum Feature {
    PLANE("2d"),
    SPHERE("2dsphere"),
    SPHERE_BUCKET("2dsphere_bucket"),
    COLLATION("collation"),
    COMPOUND("compound"),
    HASHED("hashed"),
    ID("id"),
    NORMAL("normal"),
    PARTIAL("partial"),
    PREPARE_UNIQUE("prepareUnique"),
    SINGLE("single"),
    SPARSE("sparse"),
    TEXT("text"),
    TTL("ttl"),
    UNIQUE("unique"),
    WILDCARD("wildcard");

    private final String label;

    Feature(String label) {
      this.label = label;
    }
  }

  /** Number of indexes with a feature, and number of their uses. */
  private record Tally(long count, long accesses) {
    static final Tally NONE = new Tally(0, 0);

    Tally plus(Tally other) {
      return new Tally(count + other.count, accesses + other.accesses);
    }
  }

  /** Writes the section {@code indexStats} of several engines. */
  static void write(List<IndexCensus> engines, long now, DocumentWriter reply) {
    Map<Feature, Tally> tallies = new EnumMap<>(Feature.class);
    long count = engines.stream().mapToLong(engine -> engine.count(now, tallies)).sum();
    reply.startDocument("indexStats").put("count", count).startDocument("features");
    for (Feature feature : Feature.values()) {
      Tally tally = tallies.getOrDefault(feature, Tally.NONE);
      reply
          .startDocument(feature.label)
          .put("count", tally.count())
          .put("accesses", tally.accesses())
          .end();
    }
    reply.end().end();
  }

  private long count(long now, Map<Feature, Tally> tallies) {
    return namespaces.all().stream().mapToLong(name -> count(name, now, tallies)).sum();
  }

  /** Adds the indexes of a collection to the tallies. Returns their number. */
  private long count(Namespace namespace, long now, Map<Feature, Tally> tallies) {
    Optional<Found> found = namespaces.find(namespace).filter(one -> !one.isView());
    if (found.isEmpty() || Names.isInternal(namespace.database())) {
      return 0;
    }
    IndexUsage.OfCollection used = indexUsage.of(found.get().collection(), now);
    long count = 0;
    for (IndexForm index : Indexes.of(found.get().spec())) {
      if (!index.clustered()) {
        count++;
        add(index, used.of(index.name()), tallies);
      }
    }
    return count;
  }

  private static void add(IndexForm index, long reads, Map<Feature, Tally> tallies) {
    for (Feature feature : features(index)) {
      tallies.merge(feature, new Tally(1, reads), Tally::plus);
    }
  }

  /** Returns the features of an index. The {@code _id} index has only the feature {@code id}. */
  private static Set<Feature> features(IndexForm index) {
    if (index.isId()) {
      return Set.of(Feature.ID);
    }
    Set<Feature> features = EnumSet.of(kind(index));
    features.add(index.single() ? Feature.SINGLE : Feature.COMPOUND);
    put(features, Feature.COLLATION, !index.collation().isEmpty());
    put(features, Feature.PARTIAL, !index.partial().isEmpty());
    put(features, Feature.PREPARE_UNIQUE, index.prepareUnique());
    put(features, Feature.SPARSE, index.sparse());
    put(features, Feature.TTL, index.expireAfterSeconds().isPresent());
    put(features, Feature.UNIQUE, index.unique());
    return features;
  }

  private static void put(Set<Feature> features, Feature feature, boolean on) {
    if (on) {
      features.add(feature);
    }
  }

  private static Feature kind(IndexForm index) {
    return switch (index.kind()) {
      case ORDERED -> Feature.NORMAL;
      case WILDCARD -> Feature.WILDCARD;
      case HASHED -> Feature.HASHED;
      case SPHERE -> Feature.SPHERE;
      case PLANE -> Feature.PLANE;
      case TEXT -> Feature.TEXT;
    };
  }
}
