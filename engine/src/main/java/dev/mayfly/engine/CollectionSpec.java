package dev.mayfly.engine;

import dev.mayfly.engine.EngineException.Reason;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.index.CatalogDocuments;
import dev.mayfly.engine.index.IndexMatch;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.engine.index.Part;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Specification of a collection: what its user declares and may change.
 *
 * <p>Immutable; start from {@link #mongo()} or {@link #cosmos} and derive with the {@code with}
 * methods. The shape is fixed at creation.
 *
 * <pre>{@code
 * CollectionSpec.mongo().withDefaultTtl(3_600);
 * CollectionSpec.cosmos("customer").withShards(4).withThroughput(400);
 * }</pre>
 *
 * @param onExpire what happens to expired documents
 * @param expiresWith the parents that its documents follow; empty for none
 * @param throughput request units per second, 0 for no limit
 * @param options data that a protocol stores with the collection; the engine does not read it
 */
public record CollectionSpec(
    Shape shape,
    IndexPolicy indexPolicy,
    TimeToLive timeToLive,
    FeedSpec feed,
    Cap cap,
    OnExpire onExpire,
    Optional<ExpiresWith> expiresWith,
    double throughput,
    Document options) {

  private static final int MAX_SHARDS = 1024;

  /**
   * Dialect, partition key and shards of a collection.
   *
   * @param partitionKey the paths of the partition key; empty for none
   * @param shards number of shards; documents are distributed by the hash of their partition key,
   *     or of their id
   */
  public record Shape(Dialect dialect, List<FieldPath> partitionKey, int shards) {
    public Shape {
      partitionKey = List.copyOf(partitionKey);
      require(
          shards >= 1 && shards <= MAX_SHARDS, "a collection has 1 to " + MAX_SHARDS + " shards");
    }
  }

  /** Indexes of a collection, and when writes update them. */
  public record IndexPolicy(IndexingMode mode, List<IndexSpec> indexes) {
    /** Only the index of the id. */
    public static final IndexPolicy NONE = new IndexPolicy(IndexingMode.CONSISTENT, List.of());

    public IndexPolicy {
      indexes = List.copyOf(indexes);
      require(mode != IndexingMode.NONE || indexes.isEmpty(), "mode none has no indexes");
      Set<String> names = new HashSet<>();
      for (IndexSpec index : indexes) {
        require(names.add(index.name()), "two indexes are called " + index.name());
      }
    }
  }

  /**
   * Retention and content of the change feed.
   *
   * @param retentionMillis changes older than this are trimmed
   * @param maxBytes limit per shard; the oldest changes beyond it are trimmed
   */
  public record FeedSpec(ChangeImageMode images, long retentionMillis, long maxBytes) {
    /** A day, at most 1 GiB a shard, without images. */
    public static final FeedSpec DEFAULT = new FeedSpec(ChangeImageMode.NONE, 86_400_000, 1L << 30);

    public FeedSpec {
      require(retentionMillis >= 0 && maxBytes >= 0, "a feed's retention cannot be negative");
    }
  }

  /**
   * Limits of a capped or bounded collection: beyond them documents are removed.
   *
   * @param bytes 0 for no limit
   * @param documents 0 for no limit
   * @param evict which documents are removed first
   */
  public record Cap(long bytes, long documents, Evict evict) {
    /** Not capped. */
    public static final Cap NONE = new Cap(0, 0, Evict.OLDEST);

    /** Order of removal. */
    public enum Evict {
      /** The oldest documents of a capped collection. */
      OLDEST,
      /** The documents of a bounded collection with the earliest deadlines. */
      SOONEST
    }

    public Cap {
      require(bytes >= 0 && documents >= 0, "a cap cannot be negative");
    }

    static Cap of(long bytes, long documents, Evict evict) {
      return bytes == 0 && documents == 0 ? NONE : new Cap(bytes, documents, evict);
    }

    /** Returns whether a usage exceeds the limits. */
    public boolean exceededBy(Usage live) {
      return (bytes > 0 && live.bytes() > bytes) || (documents > 0 && live.documents() > documents);
    }
  }

  /**
   * Parents that the documents of a collection follow: while the parent of a document is expired,
   * the document is absent, too.
   *
   * @param collection the collection of the parents, in the same database
   * @param field path of the field with the id of the parent
   * @param deleted whether the delete of a parent makes its children absent, too
   */
  public record ExpiresWith(String collection, FieldPath field, boolean deleted) {
    public ExpiresWith {
      require(!collection.isEmpty(), "expiresWith names no collection");
      require(field.length() > 0, "expiresWith names no field");
    }

    Document toDocument() {
      return Document.writer()
          .put("collection", collection)
          .put("field", CatalogDocuments.path(field))
          .put("deleted", deleted)
          .build();
    }

    static Optional<ExpiresWith> stored(Value form) {
      return form.isMissing()
          ? Optional.empty()
          : Optional.of(
              new ExpiresWith(
                  form.asDocument().field("collection").asString(),
                  CatalogDocuments.path(form.asDocument().field("field")),
                  form.asDocument().field("deleted").asBoolean()));
    }

    /**
     * Returns whether an index finds the children of a parent: it begins with the field and
     * contains every document that has it.
     */
    public boolean isServedBy(IndexSpec index) {
      Part first = index.parts().getFirst();
      boolean begins =
          first.manyPaths()
              ? IndexMatch.of(index, Filter.equal(field, Value.of("")), List.of(), -1).isPresent()
              : first.plain() && first.path().equals(field);
      return begins
          && index.parts().size() == (first.manyPaths() ? 1 : index.parts().size())
          && !index.sparse()
          && index.partial().equals(Filter.all())
          && index.collation().equals(Collation.SIMPLE);
    }
  }

  public CollectionSpec {
    require(
        expiresWith.isEmpty() || cap.equals(Cap.NONE),
        "a capped or bounded collection cannot expire with another one");
    require(
        expiresWith.isEmpty() || indexPolicy.mode() != IndexingMode.LAZY,
        "expiresWith does not work with lazy indexes");
    require(shape.shards() == 1 || cap.equals(Cap.NONE), "a cap needs one shard");
    require(throughput >= 0, "throughput cannot be negative");
    checkTimeToLive(indexPolicy, timeToLive);
  }

  /**
   * Checks that an index finds the children of each parent, if the documents follow parents.
   *
   * @throws EngineException BAD_SPEC
   */
  public void checkParentIndex() {
    if (expiresWith.isPresent()) {
      ExpiresWith with = expiresWith.get();
      require(
          indexes().stream().anyMatch(with::isServedBy),
          "expiresWith needs an index that begins with "
              + with.field()
              + " and is neither sparse nor partial");
    }
  }

  private static void checkTimeToLive(IndexPolicy policy, TimeToLive ttl) {
    Set<String> names = new HashSet<>();
    for (IndexSpec index : policy.indexes()) {
      names.add(index.name());
      boolean dates = index.parts().size() == 1 && !index.parts().getFirst().manyPaths();
      require(
          dates || !ttl.indexes().containsKey(index.name()),
          "a TTL index has one field: " + index.name());
    }
    for (String index : ttl.indexes().keySet()) {
      require(names.contains(index), "a TTL names an index that does not exist: " + index);
    }
    if (policy.mode() == IndexingMode.NONE && ttl.hasDefault()) {
      throw new EngineException(Reason.TTL_NEEDS_INDEXING, "indexing mode none");
    }
    require(
        policy.mode() != IndexingMode.LAZY || ttl.sliding().isEmpty(),
        "a sliding rule does not work with lazy indexes");
  }

  /** A MongoDB collection: {@code _id}, no other index, no time to live. */
  public static CollectionSpec mongo() {
    return of(Dialect.MONGO, List.of());
  }

  /** A Cosmos DB container with these partition key paths, no time to live. */
  public static CollectionSpec cosmos(String... partitionKey) {
    return of(Dialect.COSMOS, List.of(partitionKey).stream().map(FieldPath::of).toList());
  }

  private static CollectionSpec of(Dialect dialect, List<FieldPath> partitionKey) {
    return new CollectionSpec(
        new Shape(dialect, partitionKey, 1),
        IndexPolicy.NONE,
        TimeToLive.NONE.withStrict(dialect == Dialect.COSMOS),
        FeedSpec.DEFAULT,
        Cap.NONE,
        OnExpire.NOTHING,
        Optional.empty(),
        0,
        Document.EMPTY);
  }

  public Dialect dialect() {
    return shape.dialect();
  }

  public List<FieldPath> partitionKey() {
    return shape.partitionKey();
  }

  public int shards() {
    return shape.shards();
  }

  public IndexingMode indexing() {
    return indexPolicy.mode();
  }

  public List<IndexSpec> indexes() {
    return indexPolicy.indexes();
  }

  /** Returns whether the collection is capped: it has an order of insertion. */
  public boolean capped() {
    return cap.evict() == Cap.Evict.OLDEST && !cap.equals(Cap.NONE);
  }

  /** Returns whether the collection is bounded: writes evict the documents that expire first. */
  public boolean bounded() {
    return cap.evict() == Cap.Evict.SOONEST;
  }

  public CollectionSpec withShards(int count) {
    Shape spread = new Shape(shape.dialect(), shape.partitionKey(), count);
    return new CollectionSpec(
        spread, indexPolicy, timeToLive, feed, cap, onExpire, expiresWith, throughput, options);
  }

  private CollectionSpec withIndexPolicy(IndexPolicy policy) {
    return new CollectionSpec(
        shape, policy, timeToLive, feed, cap, onExpire, expiresWith, throughput, options);
  }

  public CollectionSpec withIndexing(IndexingMode mode) {
    return withIndexPolicy(
        new IndexPolicy(mode, mode == IndexingMode.NONE ? List.of() : indexes()));
  }

  /** Returns this with exactly these indexes. */
  public CollectionSpec withIndexes(List<IndexSpec> all) {
    return withIndexPolicy(new IndexPolicy(indexing(), all));
  }

  /** Returns this with one more index. */
  public CollectionSpec withIndex(IndexSpec index) {
    List<IndexSpec> all = new ArrayList<>(indexes());
    all.add(index);
    return withIndexes(all);
  }

  /** Returns this without an index and its time to live. */
  public CollectionSpec withoutIndex(String name) {
    return withTimeToLive(timeToLive.withIndex(name, TimeToLive.OFF))
        .withIndexes(indexes().stream().filter(index -> !index.name().equals(name)).toList());
  }

  public CollectionSpec withTimeToLive(TimeToLive ttl) {
    return new CollectionSpec(
        shape, indexPolicy, ttl, feed, cap, onExpire, expiresWith, throughput, options);
  }

  /** Returns this with a default TTL: seconds, {@link TimeToLive#NEVER}, {@link TimeToLive#OFF}. */
  public CollectionSpec withDefaultTtl(long seconds) {
    return withTimeToLive(timeToLive.withDefault(seconds));
  }

  public CollectionSpec withFeed(FeedSpec changed) {
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, changed, cap, onExpire, expiresWith, throughput, options);
  }

  public CollectionSpec withCap(long bytes, long documents) {
    Cap changed = Cap.of(bytes, documents, Cap.Evict.OLDEST);
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, feed, changed, onExpire, expiresWith, throughput, options);
  }

  /**
   * Returns this as a bounded collection: beyond a limit, writes evict the documents with the
   * earliest deadlines. Without limits it is not bounded.
   *
   * @param bytes 0 for no limit
   * @param documents 0 for no limit
   */
  public CollectionSpec withLimits(long bytes, long documents) {
    require(!capped(), "a capped collection cannot be bounded");
    Cap changed = Cap.of(bytes, documents, Cap.Evict.SOONEST);
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, feed, changed, onExpire, expiresWith, throughput, options);
  }

  public CollectionSpec withThroughput(double unitsPerSecond) {
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, feed, cap, onExpire, expiresWith, unitsPerSecond, options);
  }

  /** Returns this with another action on expiry. */
  public CollectionSpec withOnExpire(OnExpire action) {
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, feed, cap, action, expiresWith, throughput, options);
  }

  /**
   * As {@link #withOnExpire(OnExpire)}, from the document form of {@link OnExpire#of}.
   *
   * @throws EngineException BAD_SPEC
   */
  public CollectionSpec withOnExpire(Document form) {
    try {
      return withOnExpire(OnExpire.of(form));
    } catch (IllegalArgumentException invalid) {
      throw new EngineException(Reason.BAD_SPEC, String.valueOf(invalid.getMessage()));
    }
  }

  /** Returns this with documents that follow others, or none. */
  public CollectionSpec withExpiresWith(Optional<ExpiresWith> parents) {
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, feed, cap, onExpire, parents, throughput, options);
  }

  /** As {@link #withExpiresWith(Optional)}. */
  public CollectionSpec withExpiresWith(String collection, String field, boolean deleted) {
    return withExpiresWith(Optional.of(new ExpiresWith(collection, FieldPath.of(field), deleted)));
  }

  private static OnExpire onExpire(Value stored) {
    return stored.isMissing() ? OnExpire.NOTHING : OnExpire.of(stored.asDocument());
  }

  /** Returns this with other options. */
  public CollectionSpec withOptions(Document all) {
    return new CollectionSpec(
        shape, indexPolicy, timeToLive, feed, cap, onExpire, expiresWith, throughput, all);
  }

  public Document toDocument() {
    return Document.writer()
        .put("dialect", dialect().name())
        .put("shards", shards())
        .put("indexing", indexing().name())
        .put("ttl", timeToLive.toDocument())
        .put("images", feed.images().name())
        .put("retention", feed.retentionMillis())
        .put("feedBytes", feed.maxBytes())
        .put("cappedBytes", capped() ? cap.bytes() : 0L)
        .put("cappedDocuments", capped() ? cap.documents() : 0L)
        .put("limits", bounded() ? Value.of(limits()) : Value.MISSING)
        .put("onExpire", onExpire.delivers() ? Value.of(onExpire.toDocument()) : Value.MISSING)
        .put(
            "expiresWith",
            expiresWith.map(with -> Value.of(with.toDocument())).orElse(Value.MISSING))
        .put("throughput", throughput)
        .put(
            "partitionKey",
            Value.array(partitionKey().stream().map(CatalogDocuments::path).toList()))
        .put("indexes", CatalogDocuments.array(indexes(), IndexSpec::toDocument))
        .put("options", options)
        .build();
  }

  private Document limits() {
    return Document.writer()
        .put("bytes", cap.bytes())
        .put("documents", cap.documents())
        .put("evict", cap.evict().name())
        .build();
  }

  private static Cap cap(Document document) {
    Value limits = document.field("limits");
    if (limits.isMissing()) {
      return Cap.of(
          document.field("cappedBytes").asLong(),
          document.field("cappedDocuments").asLong(),
          Cap.Evict.OLDEST);
    }
    Document stored = limits.asDocument();
    return Cap.of(
        stored.field("bytes").asLong(),
        stored.field("documents").asLong(),
        Cap.Evict.valueOf(stored.field("evict").asString()));
  }

  public static CollectionSpec of(Document document) {
    Value options = document.field("options");
    return new CollectionSpec(
        new Shape(
            Dialect.valueOf(document.field("dialect").asString()),
            CatalogDocuments.list(document.field("partitionKey"), CatalogDocuments::path),
            document.field("shards").asInt()),
        new IndexPolicy(
            IndexingMode.valueOf(document.field("indexing").asString()),
            CatalogDocuments.list(
                document.field("indexes"), form -> IndexSpec.of(form.asDocument()))),
        TimeToLive.of(document.field("ttl").asDocument()),
        new FeedSpec(
            ChangeImageMode.valueOf(document.field("images").asString()),
            document.field("retention").asLong(),
            document.field("feedBytes").asLong()),
        cap(document),
        onExpire(document.field("onExpire")),
        ExpiresWith.stored(document.field("expiresWith")),
        document.field("throughput").asDouble(),
        options.isMissing() ? Document.EMPTY : options.asDocument());
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new EngineException(Reason.BAD_SPEC, rule);
    }
  }
}
