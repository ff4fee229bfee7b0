package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * How a collection is to be: what its user declares and may change.
 *
 * <p>Immutable; start from {@link #mongo()} or {@link #cosmos} and derive with the {@code with}
 * methods. Dialect, partition key and shards are fixed at creation.
 *
 * @param partitionKey the paths whose values place a document; empty when it has none
 * @param shards over how many shards documents are spread by the hash of their partition key (or
 *     id)
 * @param cappedBytes the oldest documents give way beyond so many bytes; 0 for no limit
 * @param cappedDocuments the oldest documents give way beyond so many; 0 for no limit
 * @param throughput request units per second, 0 for no limit
 */
public record CollectionSpec(
    Dialect dialect,
    List<FieldPath> partitionKey,
    int shards,
    IndexingMode indexing,
    List<IndexSpec> indexes,
    TimeToLive timeToLive,
    FeedSpec feed,
    long cappedBytes,
    long cappedDocuments,
    double throughput) {

  private static final int MAX_SHARDS = 1024;

  /**
   * What the feed of a collection keeps.
   *
   * @param retentionMillis changes older than this are trimmed
   * @param maxBytes the oldest changes are trimmed beyond so many bytes per shard
   */
  public record FeedSpec(Images images, long retentionMillis, long maxBytes) {
    /** A day, at most 1 GiB a shard, without images. */
    public static final FeedSpec DEFAULT = new FeedSpec(Images.NONE, 86_400_000, 1L << 30);

    public FeedSpec {
      if (retentionMillis < 0 || maxBytes < 0) {
        throw new EngineException(Reason.BAD_SPEC, "a feed's retention cannot be negative");
      }
    }
  }

  public CollectionSpec {
    partitionKey = List.copyOf(partitionKey);
    indexes = List.copyOf(indexes);
    require(shards >= 1 && shards <= MAX_SHARDS, "a collection has 1 to " + MAX_SHARDS + " shards");
    require(cappedBytes >= 0 && cappedDocuments >= 0, "a cap cannot be negative");
    require(shards == 1 || (cappedBytes == 0 && cappedDocuments == 0), "a cap needs one shard");
    require(throughput >= 0, "throughput cannot be negative");
    require(indexing != IndexingMode.NONE || indexes.isEmpty(), "mode none has no indexes");
    Set<String> names = new HashSet<>();
    for (IndexSpec index : indexes) {
      require(names.add(index.name()), "two indexes are called " + index.name());
    }
    for (String index : timeToLive.indexes().keySet()) {
      require(names.contains(index), "a TTL names an index that does not exist: " + index);
    }
    for (IndexSpec index : indexes) {
      boolean dates = index.parts().size() == 1 && !index.parts().getFirst().wildcard();
      require(
          dates || !timeToLive.indexes().containsKey(index.name()),
          "a TTL index has one field: " + index.name());
    }
    if (indexing == IndexingMode.NONE && timeToLive.hasDefault()) {
      throw new EngineException(Reason.TTL_NEEDS_INDEXING, "indexing mode none");
    }
  }

  /** A collection as MongoDB makes it: {@code _id}, no other index, nothing expires. */
  public static CollectionSpec mongo() {
    return of(Dialect.MONGO, List.of());
  }

  /** A container as Cosmos DB makes it, with its partition key paths, nothing expires. */
  public static CollectionSpec cosmos(String... partitionKey) {
    return of(Dialect.COSMOS, List.of(partitionKey).stream().map(FieldPath::of).toList());
  }

  private static CollectionSpec of(Dialect dialect, List<FieldPath> partitionKey) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        1,
        IndexingMode.CONSISTENT,
        List.of(),
        TimeToLive.NONE.withStrict(dialect == Dialect.COSMOS),
        FeedSpec.DEFAULT,
        0,
        0,
        0);
  }

  public CollectionSpec withShards(int count) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        count,
        indexing,
        indexes,
        timeToLive,
        feed,
        cappedBytes,
        cappedDocuments,
        throughput);
  }

  public CollectionSpec withIndexing(IndexingMode mode) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        shards,
        mode,
        mode == IndexingMode.NONE ? List.of() : indexes,
        timeToLive,
        feed,
        cappedBytes,
        cappedDocuments,
        throughput);
  }

  /** This with exactly these indexes. */
  public CollectionSpec withIndexes(List<IndexSpec> all) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        shards,
        indexing,
        all,
        timeToLive,
        feed,
        cappedBytes,
        cappedDocuments,
        throughput);
  }

  /** This with one more index. */
  public CollectionSpec withIndex(IndexSpec index) {
    List<IndexSpec> all = new ArrayList<>(indexes);
    all.add(index);
    return withIndexes(all);
  }

  /** This without the index of that name and without its time to live. */
  public CollectionSpec withoutIndex(String name) {
    return withTimeToLive(timeToLive.withIndex(name, TimeToLive.OFF))
        .withIndexes(indexes.stream().filter(index -> !index.name().equals(name)).toList());
  }

  public CollectionSpec withTimeToLive(TimeToLive ttl) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        shards,
        indexing,
        indexes,
        ttl,
        feed,
        cappedBytes,
        cappedDocuments,
        throughput);
  }

  /** This with another default life: seconds, {@link TimeToLive#NEVER}, {@link TimeToLive#OFF}. */
  public CollectionSpec withDefaultTtl(long seconds) {
    return withTimeToLive(timeToLive.withDefault(seconds));
  }

  public CollectionSpec withFeed(FeedSpec changed) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        shards,
        indexing,
        indexes,
        timeToLive,
        changed,
        cappedBytes,
        cappedDocuments,
        throughput);
  }

  public CollectionSpec withCap(long bytes, long documents) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        shards,
        indexing,
        indexes,
        timeToLive,
        feed,
        bytes,
        documents,
        throughput);
  }

  public CollectionSpec withThroughput(double unitsPerSecond) {
    return new CollectionSpec(
        dialect,
        partitionKey,
        shards,
        indexing,
        indexes,
        timeToLive,
        feed,
        cappedBytes,
        cappedDocuments,
        unitsPerSecond);
  }

  /** Whether the oldest documents give way. */
  public boolean capped() {
    return cappedBytes > 0 || cappedDocuments > 0;
  }

  Document toDocument() {
    DocumentWriter writer =
        Document.writer()
            .put("dialect", dialect.name())
            .put("shards", shards)
            .put("indexing", indexing.name())
            .put("ttl", timeToLive.toDocument())
            .put("images", feed.images().name())
            .put("retention", feed.retentionMillis())
            .put("feedBytes", feed.maxBytes())
            .put("cappedBytes", cappedBytes)
            .put("cappedDocuments", cappedDocuments)
            .put("throughput", throughput);
    writer.put("partitionKey", Value.array(partitionKey.stream().map(Documents::path).toList()));
    writer.put(
        "indexes",
        Value.array(indexes.stream().map(index -> Value.of(index.toDocument())).toList()));
    return writer.build();
  }

  static CollectionSpec of(Document document) {
    List<FieldPath> partitionKey = new ArrayList<>();
    Fields paths = document.field("partitionKey").asDocument().fields();
    while (paths.next()) {
      partitionKey.add(Documents.path(paths.value()));
    }
    List<IndexSpec> indexes = new ArrayList<>();
    Fields specs = document.field("indexes").asDocument().fields();
    while (specs.next()) {
      indexes.add(IndexSpec.of(specs.value().asDocument()));
    }
    return new CollectionSpec(
        Dialect.valueOf(document.field("dialect").asString()),
        partitionKey,
        document.field("shards").asInt(),
        IndexingMode.valueOf(document.field("indexing").asString()),
        indexes,
        TimeToLive.of(document.field("ttl").asDocument()),
        new FeedSpec(
            Images.valueOf(document.field("images").asString()),
            document.field("retention").asLong(),
            document.field("feedBytes").asLong()),
        document.field("cappedBytes").asLong(),
        document.field("cappedDocuments").asLong(),
        document.field("throughput").asDouble());
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new EngineException(Reason.BAD_SPEC, rule);
    }
  }
}
