package dev.mayfly.mongo.collection;

import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Index description as {@code listIndexes} reports it. Immutable.
 *
 * @param description its fields in the order of {@code listIndexes}
 */
public record IndexForm(Document description) {
  /** The index on {@code _id} that every collection has. */
  public static final IndexForm ID =
      new IndexForm(
          Document.writer()
              .put("v", 2)
              .put("key", Document.writer().put("_id", 1).build())
              .put("name", "_id_")
              .build());

  static final String V = "v";
  static final String KEY = "key";
  static final String NAME = "name";
  static final String UNIQUE = "unique";
  static final String HIDDEN = "hidden";
  static final String PARTIAL = "partialFilterExpression";
  static final String SPARSE = "sparse";
  static final String EXPIRES = "expireAfterSeconds";
  static final String COLLATION = "collation";
  static final String PROJECTION = "wildcardProjection";
  static final String PREPARE_UNIQUE = "prepareUnique";
  static final String CLUSTERED = "clustered";
  static final String FORMAT = TtlFormat.FIELD;
  static final String SLIDING = SlidingOption.FIELD;

  private static final List<String> LISTED =
      List.of(
          V,
          KEY,
          NAME,
          "background",
          UNIQUE,
          HIDDEN,
          PARTIAL,
          SPARSE,
          EXPIRES,
          "storageEngine",
          "weights",
          "default_language",
          "language_override",
          "textIndexVersion",
          "2dsphereIndexVersion",
          "bits",
          "min",
          "max",
          COLLATION,
          PROJECTION,
          PREPARE_UNIQUE,
          CLUSTERED,
          FORMAT,
          SLIDING);

  /** Two descriptions that agree in these fields are the same index. */
  private static final List<String> IDENTITY =
      List.of(KEY, COLLATION, PARTIAL, UNIQUE, SPARSE, PROJECTION);

  private static final Set<String> NO_OPTIONS = Set.of(V, NAME, "background");

  /**
   * Returns the form of a description whose fields are in any order. Unknown fields are omitted.
   */
  static IndexForm of(Document description) {
    DocumentWriter listed = Document.writer();
    for (String field : LISTED) {
      listed.put(field, description.field(field));
    }
    return new IndexForm(listed.build());
  }

  public String name() {
    return description.field(NAME).asString();
  }

  public Document key() {
    return description.field(KEY).asDocument();
  }

  public IndexKind kind() {
    return IndexKind.of(key()).orElseThrow();
  }

  public boolean unique() {
    return flag(UNIQUE);
  }

  public boolean sparse() {
    return flag(SPARSE);
  }

  public boolean hidden() {
    return flag(HIDDEN);
  }

  public boolean prepareUnique() {
    return flag(PREPARE_UNIQUE);
  }

  /** Whether this is a clustered index: the documents are stored in its order. */
  public boolean clustered() {
    return flag(CLUSTERED);
  }

  /** The partial filter expression; empty if the index contains all documents. */
  public Document partial() {
    return document(PARTIAL);
  }

  public Document collation() {
    return document(COLLATION);
  }

  public Document projection() {
    return document(PROJECTION);
  }

  /** The TTL in seconds if this is a TTL index. */
  public OptionalLong expireAfterSeconds() {
    Value seconds = description.field(EXPIRES);
    return seconds.isMissing() ? OptionalLong.empty() : OptionalLong.of(seconds.asLong());
  }

  /** The format of the time in the field of a TTL index. */
  public TimeFormat ttlFormat() {
    Value format = description.field(FORMAT);
    return format.isMissing() ? TimeFormat.DATE : TtlFormat.of(format.asString());
  }

  /** Returns a copy with this format, which is listed unless it is that of MongoDB. */
  IndexForm withTtlFormat(TimeFormat format) {
    return with(FORMAT, format == TimeFormat.DATE ? Value.MISSING : Value.of(format.code()));
  }

  /** The options of a TTL index that slides. */
  public Optional<Sliding> sliding() {
    return SlidingOption.of(description.field(SLIDING));
  }

  /** Returns a copy that slides, or does not. */
  IndexForm withSliding(Optional<Sliding> sliding) {
    return with(SLIDING, SlidingOption.listed(sliding));
  }

  /** Whether this is the index on {@code _id}, clustered or not. */
  public boolean isId() {
    Fields fields = key().fields();
    return clustered()
        || (fields.next() && fields.named("_id") && fields.value().isNumber() && !fields.next());
  }

  /** Whether its key has exactly one field. */
  public boolean single() {
    Fields fields = key().fields();
    return fields.next() && !fields.next();
  }

  /**
   * Returns a copy with the field set to the value, or without the field if the value is missing.
   */
  IndexForm with(String field, Value value) {
    DocumentWriter changed = Document.writer();
    for (String listed : LISTED) {
      changed.put(listed, listed.equals(field) ? value : description.field(listed));
    }
    return new IndexForm(changed.build());
  }

  IndexForm withFlag(String field, boolean on) {
    return with(field, on ? Value.TRUE : Value.MISSING);
  }

  /** Returns a copy with this TTL, which is listed as a 32-bit number. */
  IndexForm expiringAfter(long seconds) {
    return with(EXPIRES, Value.of((int) seconds));
  }

  /** Whether both describe the same index. A collection can have only one of them. */
  boolean sameIndex(IndexForm other) {
    return IDENTITY.stream().allMatch(field -> sameField(other, field));
  }

  /** Whether all options are equal; name, version and {@code background} do not count. */
  boolean sameOptions(IndexForm other) {
    return LISTED.stream()
        .filter(field -> !NO_OPTIONS.contains(field))
        .allMatch(field -> sameField(other, field));
  }

  /** Whether this index has the key pattern. Numbers are compared by value, whatever their type. */
  public boolean hasKey(Document pattern) {
    return Order.MONGO.compare(Value.of(key()), Value.of(pattern)) == 0;
  }

  private boolean sameField(IndexForm other, String field) {
    return Order.MONGO.compare(option(field), other.option(field)) == 0
        || (field.equals(PARTIAL) && samePartial(other));
  }

  /** Whether the partial filters have the same conditions, in any order. */
  private boolean samePartial(IndexForm other) {
    return !partial().isEmpty()
        && !other.partial().isEmpty()
        && conditions(partial()).equals(conditions(other.partial()));
  }

  private static Set<Filter> conditions(Document partial) {
    return Set.copyOf(Filters.parse(partial).conjuncts());
  }

  /** Returns a field for comparisons. {@code false} counts as missing. */
  private Value option(String field) {
    Value value = description.field(field);
    return value.equals(Value.FALSE) ? Value.MISSING : value;
  }

  private boolean flag(String field) {
    Value value = description.field(field);
    return !value.isMissing() && value.asBoolean();
  }

  private Document document(String field) {
    Value value = description.field(field);
    return value.isMissing() ? Document.EMPTY : value.asDocument();
  }
}
