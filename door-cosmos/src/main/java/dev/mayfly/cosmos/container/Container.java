package dev.mayfly.cosmos.container;

import dev.mayfly.cosmos.rest.Etag;
import dev.mayfly.cosmos.rest.Rid;
import dev.mayfly.engine.Collection;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** A container with its current definition. Immutable: replacing it creates another object. */
public final class Container {
  private static final String DEFINITION = "definition";
  private static final String SECONDS = "seconds";
  private static final List<String> FIXED = List.of("partitionKey", "uniqueKeyPolicy");
  private static final String VERSION = "version";

  private final Database database;
  private final Rid rid;
  private final Collection collection;
  private final CollectionSpec spec;
  private final ContainerDefinition definition;
  private final long version;

  /** Hash of the rules if the engine has others than the definition; otherwise 0. */
  private final int changedRules;

  private final Set<ContainerFlag> flags;
  private final Document resource;
  private final String self;
  private final String link;

  private Container(Database database, Collection collection, CollectionSpec spec) {
    this.database = database;
    this.collection = collection;
    this.rid = database.rid().container(collection.id());
    this.spec = spec;
    Document options = spec.options();
    ContainerDefinition stored = ContainerDefinition.of(options.field(DEFINITION).asDocument());
    // the TTL rules of the engine are authoritative: the admin API and an undo change them there
    this.definition = stored.withExpiryOf(spec);
    this.changedRules = definition.form().equals(stored.form()) ? 0 : definition.form().hashCode();
    this.version = options.field(VERSION).asLong();
    this.flags = flags(options);
    this.self = database.self() + "colls/" + rid + "/";
    this.link = "dbs/" + database.id() + "/colls/" + definition.id();
    this.resource = resource(options.field(SECONDS).asLong());
  }

  /** Returns the container of a collection. */
  static Container of(Database database, Collection collection) {
    return new Container(database, collection, collection.spec());
  }

  /** Whether the engine has not changed the collection since. */
  @SuppressWarnings("ReferenceEquality") // each change makes another object
  boolean isCurrent() {
    return collection.spec() == spec;
  }

  /** Returns the options that the engine stores for a definition. */
  static Document options(ContainerDefinition definition, long seconds, long version) {
    return Document.writer()
        .put(DEFINITION, definition.form())
        .put(SECONDS, seconds)
        .put(VERSION, version)
        .build();
  }

  private static Set<ContainerFlag> flags(Document options) {
    EnumSet<ContainerFlag> flags = EnumSet.noneOf(ContainerFlag.class);
    for (ContainerFlag containerFlag : ContainerFlag.values()) {
      if (options.field(containerFlag.key()).equals(Value.TRUE)) {
        flags.add(containerFlag);
      }
    }
    return flags;
  }

  /** Returns the options with a flag set. */
  static Document with(ContainerFlag containerFlag, Document options) {
    DocumentWriter writer = Document.writer();
    Fields fields = options.fields();
    while (fields.next()) {
      if (!fields.name().equals(containerFlag.key())) {
        writer.put(fields);
      }
    }
    return writer.put(containerFlag.key(), true).build();
  }

  private Document resource(long seconds) {
    DocumentWriter writer = Document.writer();
    writer.putAll(definition.form());
    return writer
        .put("_rid", rid.text())
        .put("_ts", seconds)
        .put("_self", self)
        .put("_etag", etag())
        .put("_docs", "docs/")
        .put("_sprocs", "sprocs/")
        .put("_triggers", "triggers/")
        .put("_udfs", "udfs/")
        .put("_conflicts", "conflicts/")
        .build();
  }

  public String databaseId() {
    return database.id();
  }

  public Database database() {
    return database;
  }

  public String id() {
    return definition.id();
  }

  public Rid rid() {
    return rid;
  }

  /** Returns the collection of its items. */
  public Collection collection() {
    return collection;
  }

  public PartitionKeyDefinition partitionKey() {
    return definition.partitionKey();
  }

  public IndexingPolicy indexing() {
    return definition.indexing();
  }

  /** Returns its definition. */
  public ContainerDefinition definition() {
    return definition;
  }

  /**
   * Parses the body of a replacement. Properties that cannot change may be omitted, and so may the
   * object of Mayfly's own properties, which some SDKs do not send: it stays as it is. An omitted
   * TTL is off.
   *
   * @throws dev.mayfly.cosmos.rest.CosmosException 400
   */
  public ContainerDefinition redefined(Document body) {
    DocumentWriter writer = Document.writer();
    writer.putAll(body);
    for (String fixed : FIXED) {
      boolean omitted = body.field(fixed).isMissing() && !resource.field(fixed).isMissing();
      if (omitted) {
        writer.put(fixed, resource.field(fixed));
      }
    }
    if (body.field(TtlDefinition.MAYFLY).isMissing()) {
      writer.put(TtlDefinition.MAYFLY, TtlDefinition.kept(resource, body));
    }
    return ContainerDefinition.of(writer.build());
  }

  /** Returns the resource for clients. */
  public Document resource() {
    return resource;
  }

  /** As {@link #resource}, without the partition key, for clients that do not know system keys. */
  public Document withoutPartitionKey() {
    DocumentWriter writer = Document.writer();
    Fields fields = resource.fields();
    while (fields.next()) {
      if (!fields.name().equals("partitionKey")) {
        writer.put(fields);
      }
    }
    return writer.build();
  }

  /** Whether a flag is set. */
  public boolean has(ContainerFlag containerFlag) {
    return flags.contains(containerFlag);
  }

  /** Returns how often it was replaced. */
  long version() {
    return version;
  }

  public String etag() {
    return Etag.of(rid.hashCode() * (1L << 31) + ((long) changedRules << 16) + version);
  }

  /** Returns its address with rids: {@code dbs/x/colls/y/}. */
  public String self() {
    return self;
  }

  /** Returns its address with names: {@code dbs/x/colls/y}. */
  public String link() {
    return link;
  }
}
