package dev.mayfly.mongo.schema;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.Namespace;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.mongo.collection.IndexForm;
import dev.mayfly.mongo.collection.IndexKind;
import dev.mayfly.mongo.collection.Indexes;
import dev.mayfly.mongo.collection.SlidingOption;
import dev.mayfly.mongo.collection.TtlFormat;
import dev.mayfly.mongo.command.Section;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Change of one index by {@code collMod}.
 *
 * @param section the fields of the request
 * @param index the index before the change
 */
record IndexModification(Section section, IndexForm index) {
  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "keyPattern",
          "expireAfterSeconds",
          "hidden",
          "unique",
          "prepareUnique",
          TtlFormat.FIELD,
          SlidingOption.FIELD);
  private static final Set<String> CHANGES =
      Set.of(
          "expireAfterSeconds",
          "hidden",
          "unique",
          "prepareUnique",
          TtlFormat.FIELD,
          SlidingOption.FIELD);
  private static final String EXPIRES = "expireAfterSeconds";

  /** Parses the request and finds the index. The checks run in the order of MongoDB. */
  static IndexModification of(Section section, Namespace namespace, CollectionSpec spec) {
    section.allow(FIELDS);
    if (!section.has("name") && !section.has("keyPattern")) {
      throw invalid("Must specify either index name or key pattern.");
    }
    if (section.has("name") && section.has("keyPattern")) {
      throw invalid("Cannot specify both key pattern and name.");
    }
    if (CHANGES.stream().noneMatch(section::has)) {
      throw invalid("no expireAfterSeconds, hidden, unique, or prepareUnique field");
    }
    checkTypes(section, sinceLastWrite(section, spec));
    IndexForm index =
        section.has("name")
            ? named(section.text("name"), namespace, spec)
            : keyed(section.document("keyPattern"), namespace, spec);
    IndexModification modification = new IndexModification(section, index);
    modification.check();
    return modification;
  }

  /**
   * Whether all indexes that match the request are on {@code _ts}, so that a TTL counts from the
   * last write.
   */
  private static boolean sinceLastWrite(Section section, CollectionSpec spec) {
    List<IndexForm> indexes =
        section.has("name")
            ? Indexes.named(spec, section.text("name")).stream().toList()
            : Indexes.keyed(spec, section.document("keyPattern"));
    return !indexes.isEmpty() && indexes.stream().allMatch(Indexes::wouldBeLastWrite);
  }

  private static void checkTypes(Section section, boolean sinceLastWrite) {
    if (section.has(EXPIRES)) {
      Expiry.ofIndex(section.number(EXPIRES), sinceLastWrite);
    }
    section.flag("hidden");
    section.flag("unique");
    section.flag("prepareUnique");
    if (section.has(TtlFormat.FIELD)) {
      TtlFormat.of(section.text(TtlFormat.FIELD));
    }
    SlidingOption.of(section.field(SlidingOption.FIELD));
  }

  private static IndexForm named(String name, Namespace namespace, CollectionSpec spec) {
    return Indexes.named(spec, name).orElseThrow(() -> unknown(name, namespace));
  }

  private static IndexForm keyed(Document pattern, Namespace namespace, CollectionSpec spec) {
    List<IndexForm> matching = Indexes.keyed(spec, pattern);
    if (matching.size() > 1) {
      throw new CommandException(
          ErrorCode.AMBIGUOUS_INDEX_KEY_PATTERN,
          "index keyPattern "
              + ShellText.of(pattern)
              + " matches "
              + matching.size()
              + " indexes, must use index name. Conflicting indexes:"
              + ShellText.of(matching.get(0).description())
              + ", "
              + ShellText.of(matching.get(1).description()));
    }
    return matching.stream()
        .findFirst()
        .orElseThrow(() -> unknown(ShellText.of(pattern), namespace));
  }

  private static CommandException unknown(String index, Namespace namespace) {
    return new CommandException(
        ErrorCode.INDEX_NOT_FOUND, "cannot find index " + index + " for ns " + namespace);
  }

  private void check() {
    if (section.has(EXPIRES) && index.expireAfterSeconds().isEmpty()) {
      if (index.isId()) {
        throw invalid("the _id field does not support TTL indexes");
      }
      if (!index.single()) {
        throw invalid("TTL indexes are single-field indexes, compound indexes do not support TTL");
      }
    }
    if (section.has(EXPIRES)
        && Indexes.wouldBeLastWrite(index)
        && (index.unique() || !index.partial().isEmpty())) {
      throw invalid("a TTL index on '_ts' can be neither unique nor partial");
    }
    if (section.has(EXPIRES) && index.clustered()) {
      throw invalid("the _id field does not support TTL indexes");
    }
    if (section.has(TtlFormat.FIELD)) {
      checkFormat();
    }
    checkSliding();
    if (section.has("hidden") && index.clustered()) {
      throw new CommandException(
          ErrorCode.location(6011800), "The 'hidden' option is not supported for a clusteredIndex");
    }
    if (section.has("hidden") && index.isId()) {
      throw new CommandException(ErrorCode.BAD_VALUE, "can't hide _id index");
    }
    boolean prepares = section.has("prepareUnique") && section.flag("prepareUnique");
    if (prepares && (index.kind() == IndexKind.WILDCARD || index.kind() == IndexKind.HASHED)) {
      throw invalid("Index type '" + index.kind().plugin() + "' cannot become unique");
    }
    if (section.has("unique")) {
      checkUnique();
    }
  }

  private void checkFormat() {
    boolean expiring = section.has(EXPIRES) || index.expireAfterSeconds().isPresent();
    if (!expiring || index.isId()) {
      throw invalid("'mayflyTtlFormat' needs a TTL index on a field other than _id");
    }
    if (Indexes.wouldBeLastWrite(index) || index.kind().isPlugin()) {
      throw invalid("the index '" + index.name() + "' has no 'mayflyTtlFormat'");
    }
  }

  private void checkSliding() {
    if (sliding().isEmpty()) {
      return;
    }
    boolean expiring = section.has(EXPIRES) || index.expireAfterSeconds().isPresent();
    if (section.has(SlidingOption.FIELD)
        && (!expiring || index.isId() || index.kind().isPlugin())) {
      throw invalid("'mayflySliding' needs a TTL index on a field other than _id");
    }
    long life = section.has(EXPIRES) ? seconds() : index.expireAfterSeconds().orElse(0);
    if (life == 0) {
      throw invalid("a TTL index with 'mayflySliding' has at least a second");
    }
  }

  /** The options of the index after the change. */
  private Optional<Sliding> sliding() {
    return section.has(SlidingOption.FIELD)
        ? SlidingOption.of(section.field(SlidingOption.FIELD))
        : index.sliding();
  }

  private void checkUnique() {
    if (!section.flag("unique")) {
      throw new CommandException(ErrorCode.BAD_VALUE, "Cannot make index non-unique");
    }
    if (!index.unique() && !index.prepareUnique()) {
      throw invalid(
          "Cannot make index unique with 'prepareUnique=false'. Run collMod to set"
              + " 'prepareUnique=true' first");
    }
  }

  /** Whether the change can expire documents. */
  boolean expires() {
    return section.has(EXPIRES) || section.has(TtlFormat.FIELD) || section.has(SlidingOption.FIELD);
  }

  private TimeFormat format() {
    return TtlFormat.of(section.text(TtlFormat.FIELD));
  }

  private long seconds() {
    return Expiry.ofIndex(section.number(EXPIRES), Indexes.wouldBeLastWrite(index));
  }

  private boolean hides() {
    return section.has("hidden") && section.flag("hidden") != index.hidden();
  }

  /** Whether {@code prepareUnique} changes; it is ignored for a unique index. */
  private boolean prepares() {
    return section.has("prepareUnique")
        && !index.unique()
        && section.flag("prepareUnique") != index.prepareUnique();
  }

  /** Whether the index becomes unique. That reads the collection and can fail. */
  boolean makesUnique() {
    return section.has("unique") && !index.unique();
  }

  /** Whether {@code unique} is the only requested change. */
  boolean isUniqueOnly() {
    return section.has("unique")
        && CHANGES.stream().filter(section::has).allMatch(change -> change.equals("unique"));
  }

  /** Returns the index of the engine. */
  IndexSpec spec(CollectionSpec spec) {
    return spec.indexes().stream()
        .filter(one -> one.name().equals(index.name()))
        .findFirst()
        .orElseThrow();
  }

  CollectionSpec applyTo(CollectionSpec spec) {
    CollectionSpec changed = spec;
    if (section.has(SlidingOption.FIELD) && sliding().isEmpty()) {
      changed = Indexes.sliding(changed, index, Optional.empty());
    }
    if (section.has(EXPIRES)) {
      changed = Indexes.expiring(changed, index, seconds());
    }
    if (section.has(TtlFormat.FIELD)) {
      changed = Indexes.formatted(changed, index, format());
    }
    if (section.has(SlidingOption.FIELD)) {
      changed = Indexes.sliding(changed, index, sliding());
    }
    if (hides()) {
      changed = Indexes.hidden(changed, index, section.flag("hidden"));
    }
    if (prepares()) {
      changed = Indexes.prepared(changed, index, section.flag("prepareUnique"));
    }
    return makesUnique() ? Indexes.unique(changed, index, true) : changed;
  }

  /** Writes the old and the new values of the options that change. */
  void writeTo(DocumentWriter reply) {
    if (section.has(EXPIRES)) {
      OptionalLong old = index.expireAfterSeconds();
      if (old.isPresent()) {
        reply.put("expireAfterSeconds_old", old.getAsLong());
      }
      reply.put("expireAfterSeconds_new", seconds());
    }
    if (section.has(TtlFormat.FIELD)) {
      reply
          .put(TtlFormat.FIELD + "_old", index.ttlFormat().code())
          .put(TtlFormat.FIELD + "_new", format().code());
    }
    if (section.has(SlidingOption.FIELD)) {
      reply
          .put(SlidingOption.FIELD + "_old", index.sliding().map(Sliding::form).orElse(Value.FALSE))
          .put(SlidingOption.FIELD + "_new", sliding().map(Sliding::form).orElse(Value.FALSE));
    }
    if (hides()) {
      reply.put("hidden_old", index.hidden()).put("hidden_new", !index.hidden());
    }
    if (prepares()) {
      reply
          .put("prepareUnique_old", index.prepareUnique())
          .put("prepareUnique_new", !index.prepareUnique());
    }
    if (makesUnique()) {
      reply.put("unique_new", true);
    }
  }

  private static CommandException invalid(String message) {
    return new CommandException(ErrorCode.INVALID_OPTIONS, message);
  }
}
