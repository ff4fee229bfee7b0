package dev.mayfly.mongo.collection;

import dev.mayfly.query.Filter;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Order;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;

/**
 * One index as clients see it.
 *
 * @param description its fields in the order in which they are listed
 */
public record IndexForm(Document description) {
  /** The index that every collection has. */
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
          CLUSTERED);

  /** What two descriptions have in common when they are of one index. */
  private static final List<String> IDENTITY =
      List.of(KEY, COLLATION, PARTIAL, UNIQUE, SPARSE, PROJECTION);

  private static final Set<String> NO_OPTIONS = Set.of(V, NAME, "background");

  /** The form of a description with its fields in any order; unknown ones are left out. */
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

  /** Whether it is the order in which the documents themselves lie. */
  public boolean clustered() {
    return flag(CLUSTERED);
  }

  /** Which documents it holds; empty for all. */
  public Document partial() {
    return document(PARTIAL);
  }

  public Document collation() {
    return document(COLLATION);
  }

  public Document projection() {
    return document(PROJECTION);
  }

  /** The seconds after which documents expire by it, if they do. */
  public OptionalLong expireAfterSeconds() {
    Value seconds = description.field(EXPIRES);
    return seconds.isMissing() ? OptionalLong.empty() : OptionalLong.of(seconds.asLong());
  }

  /** True when it is the index that every collection has. */
  public boolean isId() {
    Fields fields = key().fields();
    return clustered()
        || (fields.next() && fields.named("_id") && fields.value().isNumber() && !fields.next());
  }

  /** True when its key has one field. */
  public boolean single() {
    Fields fields = key().fields();
    return fields.next() && !fields.next();
  }

  /** This with a field set to a value, or without it when the value is missing. */
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

  /** This expiring documents after so many seconds, as a 32-bit number. */
  IndexForm expiringAfter(long seconds) {
    return with(EXPIRES, Value.of((int) seconds));
  }

  /** True when both describe one index: only one of them can be in a collection. */
  boolean sameIndex(IndexForm other) {
    return IDENTITY.stream().allMatch(field -> sameField(other, field));
  }

  /** True when besides they differ in nothing but their names. */
  boolean sameOptions(IndexForm other) {
    return LISTED.stream()
        .filter(field -> !NO_OPTIONS.contains(field))
        .allMatch(field -> sameField(other, field));
  }

  /** True when a key pattern is that of this index; numbers count by value. */
  public boolean hasKey(Document pattern) {
    return Order.MONGO.compare(Value.of(key()), Value.of(pattern)) == 0;
  }

  private boolean sameField(IndexForm other, String field) {
    return Order.MONGO.compare(option(field), other.option(field)) == 0
        || (field.equals(PARTIAL) && samePartial(other));
  }

  /** Whether the same documents are in both, however their filters are worded. */
  private boolean samePartial(IndexForm other) {
    return !partial().isEmpty()
        && !other.partial().isEmpty()
        && conditions(partial()).equals(conditions(other.partial()));
  }

  private static Set<Filter> conditions(Document partial) {
    return Set.copyOf(Filters.parse(partial).conjuncts());
  }

  /** A field as it counts in comparisons: what is said not to be so is as good as not said. */
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
