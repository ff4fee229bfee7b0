package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.CosmosException;
import dev.mayfly.cosmos.rest.Names;
import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.Cap;
import dev.mayfly.engine.CollectionSpec.ExpiresWith;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.engine.IndexingMode;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.archive.OnExpire;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.sql.Geospatial;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Definition of a container, validated.
 *
 * @param uniqueKeys indexes that enforce unique keys
 * @param limits of a bounded container
 * @param onExpire what happens to expired items
 * @param form the definition in JSON, without system properties
 */
public record ContainerDefinition(
    String id,
    PartitionKeyDefinition partitionKey,
    IndexingPolicy indexing,
    List<IndexSpec> uniqueKeys,
    TimeToLive timeToLive,
    Cap limits,
    OnExpire onExpire,
    Optional<ExpiresWith> expiresWith,
    Document form) {
  private static final String POLICY = "indexingPolicy";
  private static final String KEY = "partitionKey";
  private static final String UNIQUE = "uniqueKeyPolicy";
  private static final String CONFLICTS = "conflictResolutionPolicy";
  private static final String GEOSPATIAL = "geospatialConfig";
  private static final String CHANGE_FEED = "changeFeedPolicy";
  private static final String RETENTION = "retentionDuration";
  private static final long MILLIS_PER_MINUTE = 60_000;

  /** Properties that are stored and returned unchanged. */
  private static final List<String> ECHOED =
      List.of(
          "analyticalStorageTtl",
          "computedProperties",
          CHANGE_FEED,
          "clientEncryptionPolicy",
          "vectorEmbeddingPolicy",
          "fullTextPolicy");

  public ContainerDefinition {
    uniqueKeys = List.copyOf(uniqueKeys);
  }

  /**
   * Parses a body.
   *
   * @throws CosmosException 400
   */
  public static ContainerDefinition of(Document body) {
    String id = Names.of(body);
    PartitionKeyDefinition partitionKey = PartitionKeyDefinition.of(body.field(KEY));
    IndexingPolicy indexing = IndexingPolicy.of(body.field(POLICY));
    TimeToLive timeToLive = TtlDefinition.of(body);
    Cap limits = TtlDefinition.limits(body);
    OnExpire onExpire = TtlDefinition.onExpire(body);
    Optional<ExpiresWith> expiresWith = TtlDefinition.expiresWith(body);
    retentionMinutes(body);
    if (indexing.mode() == IndexingMode.NONE && timeToLive.hasDefault()) {
      throw CosmosException.wrong(
          "Indexing mode value cannot be 'none' when 'defaultTtl' is specified in the collection");
    }
    return new ContainerDefinition(
        id,
        partitionKey,
        indexing,
        UniqueKeys.of(body.field(UNIQUE), partitionKey),
        timeToLive,
        limits,
        onExpire,
        expiresWith,
        form(id, partitionKey, indexing, timeToLive, limits, onExpire, expiresWith, body));
  }

  private static Document form(
      String id,
      PartitionKeyDefinition key,
      IndexingPolicy indexing,
      TimeToLive timeToLive,
      Cap limits,
      OnExpire onExpire,
      Optional<ExpiresWith> expiresWith,
      Document body) {
    DocumentWriter writer =
        Document.writer().put("id", id).put(POLICY, indexing.form()).put(KEY, key.toDocument());
    TtlDefinition.write(timeToLive, limits, onExpire, expiresWith, writer);
    for (String name : ECHOED) {
      Value value = body.field(name);
      if (!value.isMissing() && !value.isNull()) {
        writer.put(name, value);
      }
    }
    Value unique = body.field(UNIQUE);
    if (unique.isDocument() && !unique.asDocument().isEmpty()) {
      writer.put(UNIQUE, unique);
    }
    return writer
        .put(CONFLICTS, orElse(body.field(CONFLICTS), LAST_WRITER_WINS))
        .put(GEOSPATIAL, orElse(body.field(GEOSPATIAL), GEOGRAPHY))
        .build();
  }

  private static final Document LAST_WRITER_WINS =
      Document.writer()
          .put("mode", "LastWriterWins")
          .put("conflictResolutionPath", "/_ts")
          .put("conflictResolutionProcedure", "")
          .build();

  private static final Document GEOGRAPHY = Document.writer().put("type", "Geography").build();

  private static Document orElse(Value value, Document standard) {
    return value.isDocument() ? value.asDocument() : standard;
  }

  /** Returns the definition with the time to live, limits and action on expiry of a collection. */
  ContainerDefinition withExpiryOf(CollectionSpec spec) {
    TimeToLive ttl = spec.timeToLive();
    Cap cap = spec.cap();
    OnExpire action = spec.onExpire();
    Optional<ExpiresWith> with = spec.expiresWith();
    Document changedForm = form(id, partitionKey, indexing, ttl, cap, action, with, form);
    return new ContainerDefinition(
        id, partitionKey, indexing, uniqueKeys, ttl, cap, action, with, changedForm);
  }

  /** Returns whether geometries of its items are on the earth or on a plane. */
  public Geospatial geospatial() {
    Document config = Elements.object(form.field(GEOSPATIAL), GEOSPATIAL);
    return config.field("type").equals(Value.of("Geometry"))
        ? Geospatial.GEOMETRY
        : Geospatial.GEOGRAPHY;
  }

  /** Applies this definition to the spec of a collection. */
  CollectionSpec applyTo(CollectionSpec spec) {
    IndexingMode mode = indexing.mode();
    List<IndexSpec> indexes = new ArrayList<>(indexing.indexes());
    indexes.addAll(uniqueKeys);
    CollectionSpec bare = spec.withTimeToLive(TimeToLive.NONE.withStrict(true));
    return bare.withIndexes(List.of())
        .withIndexing(
            mode == IndexingMode.NONE && !indexes.isEmpty() ? IndexingMode.CONSISTENT : mode)
        .withIndexes(indexes)
        .withTimeToLive(timeToLive)
        .withLimits(limits.bytes(), limits.documents())
        .withOnExpire(onExpire)
        .withExpiresWith(expiresWith)
        .withFeed(feed(spec.feed()));
  }

  /** A retention period enables the all versions and deletes mode of the change feed. */
  private FeedSpec feed(FeedSpec current) {
    long minutes = retentionMinutes(form);
    return minutes == 0
        ? current
        : new FeedSpec(ChangeImageMode.BOTH, minutes * MILLIS_PER_MINUTE, current.maxBytes());
  }

  /** Returns the retention of all versions in minutes; 0 if it is not set. */
  private static long retentionMinutes(Document body) {
    Value minutes = Elements.object(body.field(CHANGE_FEED), CHANGE_FEED).field(RETENTION);
    if (Elements.absent(minutes)) {
      return 0;
    }
    if (!minutes.isNumber() || minutes.asDouble() < 0) {
      throw CosmosException.wrong("The property '" + RETENTION + "' must be a number of minutes.");
    }
    return Math.min(minutes.asLong(), Integer.MAX_VALUE);
  }
}
