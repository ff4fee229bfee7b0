package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.TimeToLive.Sliding;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The indexes of a collection as clients see them, and the changes of its {@link CollectionSpec}
 * when indexes are created, changed or dropped. Pure functions.
 *
 * <p>Each index has a description in {@link Options}, and most have an index of the engine with the
 * same name. The TTL is stored in the rules of the engine only, so a rule change by another door
 * shows in {@code listIndexes}. Two kinds have no index of the engine: 2d indexes, whose queries
 * scan the collection, and TTL indexes on {@code _ts}, which are the default TTL.
 */
public final class Indexes {
  /** The field whose TTL index means the time of the last write, as in Azure Cosmos DB. */
  static final String LAST_WRITE = "_ts";

  private Indexes() {}

  /** Returns all indexes: the {@code _id} index, then the others in the order of their creation. */
  public static List<IndexForm> of(CollectionSpec spec) {
    Options options = Options.of(spec);
    List<IndexForm> all = new ArrayList<>();
    all.add(ofId(spec, options));
    for (IndexForm form : options.indexes()) {
      if (inEngine(form) ? index(spec, form.name()).isPresent() : true) {
        all.add(withCurrentExpiry(spec, form));
      }
    }
    for (IndexSpec index : spec.indexes()) {
      if (all.stream().noneMatch(form -> form.name().equals(index.name()))) {
        all.add(withCurrentExpiry(spec, EngineIndex.form(index)));
      }
    }
    return all;
  }

  public static Optional<IndexForm> named(CollectionSpec spec, String name) {
    return of(spec).stream().filter(form -> form.name().equals(name)).findFirst();
  }

  /** Returns all indexes with the key pattern. They differ in their options. */
  public static List<IndexForm> keyed(CollectionSpec spec, Document pattern) {
    return of(spec).stream().filter(form -> form.hasKey(pattern)).toList();
  }

  private static IndexForm ofId(CollectionSpec spec, Options options) {
    if (options.clustered().isEmpty()) {
      return options.collation().isEmpty()
          ? IndexForm.ID
          : IndexForm.ID.with(IndexForm.COLLATION, Value.of(options.collation()));
    }
    IndexForm clustered = IndexForm.of(options.clustered()).withFlag(IndexForm.CLUSTERED, true);
    long seconds = spec.timeToLive().idSeconds();
    return seconds == TimeToLive.OFF
        ? clustered
        : clustered
            .with(IndexForm.EXPIRES, Value.of(seconds))
            .withTtlFormat(spec.timeToLive().idFormat())
            .withSliding(spec.timeToLive().slidingOf(TimeToLive.ID_RULE));
  }

  /** Returns the description with the TTL that the engine applies. */
  private static IndexForm withCurrentExpiry(CollectionSpec spec, IndexForm form) {
    if (keepsOwnExpiry(form)) {
      return form;
    }
    if (isLastWrite(form)) {
      long seconds = spec.timeToLive().defaultSeconds();
      return seconds == TimeToLive.OFF
          ? form.with(IndexForm.EXPIRES, Value.MISSING).withSliding(Optional.empty())
          : form.expiringAfter(seconds)
              .withSliding(spec.timeToLive().slidingOf(TimeToLive.PROPERTY_RULE));
    }
    Long seconds = spec.timeToLive().indexes().get(form.name());
    return seconds == null
        ? form
        : form.expiringAfter(seconds)
            .withTtlFormat(spec.timeToLive().indexFormat(form.name()))
            .withSliding(spec.timeToLive().slidingOf(rule(form)));
  }

  /** Returns the name of the rule of a TTL index. */
  private static String rule(IndexForm form) {
    return isLastWrite(form) ? TimeToLive.PROPERTY_RULE : TimeToLive.INDEX_RULE + form.name();
  }

  /** Whether the index has {@code expireAfterSeconds} but is of a type that expires nothing. */
  public static boolean neverExpires(IndexForm form) {
    return form.expireAfterSeconds().isPresent() && keepsOwnExpiry(form);
  }

  /**
   * Whether {@code expireAfterSeconds} is only listed, because indexes of this type expire nothing.
   */
  private static boolean keepsOwnExpiry(IndexForm form) {
    return form.kind().isPlugin();
  }

  /** Whether the engine has an index for the description. */
  private static boolean inEngine(IndexForm form) {
    boolean onLastWrite = form.kind() == IndexKind.ORDERED && isLastWrite(form);
    return form.kind().inEngine() && !onLastWrite;
  }

  /**
   * Whether this is a TTL index on {@code _ts}: the default TTL, which counts from the last write.
   */
  public static boolean isLastWrite(IndexForm form) {
    return form.expireAfterSeconds().isPresent() && wouldBeLastWrite(form);
  }

  /** Whether this index, with a TTL, is a TTL index on {@code _ts}. */
  public static boolean wouldBeLastWrite(IndexForm form) {
    Fields fields = form.key().fields();
    return form.kind() == IndexKind.ORDERED
        && form.single()
        && fields.next()
        && fields.named(LAST_WRITE);
  }

  /** Returns the key pattern of an index of the engine. */
  public static Document key(IndexSpec index) {
    return EngineIndex.form(index).key();
  }

  private static Optional<IndexSpec> index(CollectionSpec spec, String name) {
    return spec.indexes().stream().filter(index -> index.name().equals(name)).findFirst();
  }

  /** Returns the spec with the index, and with its TTL rule if it has one. */
  public static CollectionSpec added(CollectionSpec spec, IndexForm form) {
    if (!inEngine(form)) {
      TimeToLive ttl = spec.timeToLive();
      CollectionSpec described = withDescription(spec, form);
      return isLastWrite(form)
          ? described.withTimeToLive(
              ttl.withDefault(form.expireAfterSeconds().getAsLong())
                  .withSliding(TimeToLive.PROPERTY_RULE, form.sliding()))
          : described;
    }
    CollectionSpec indexed = spec.withoutIndex(form.name()).withIndex(EngineIndex.of(form));
    if (keepsOwnExpiry(form) || form.expireAfterSeconds().isEmpty()) {
      return withDescription(indexed, form);
    }
    long seconds = form.expireAfterSeconds().getAsLong();
    IndexForm described =
        form.with(IndexForm.EXPIRES, Value.MISSING)
            .withTtlFormat(TimeFormat.DATE)
            .withSliding(Optional.empty());
    return withDescription(indexed, described)
        .withTimeToLive(
            indexed
                .timeToLive()
                .withIndex(form.name(), seconds)
                .withIndexFormat(form.name(), form.ttlFormat())
                .withSliding(rule(form), form.sliding()));
  }

  /** Returns the spec without the index and its TTL rule. */
  public static CollectionSpec dropped(CollectionSpec spec, IndexForm form) {
    Options options = Options.of(spec);
    List<IndexForm> rest = new ArrayList<>(options.indexes());
    rest.removeIf(other -> other.name().equals(form.name()));
    CollectionSpec without =
        spec.withoutIndex(form.name()).withOptions(options.withIndexes(rest).toDocument());
    return isKeptAsLastWrite(options, form.name())
        ? without.withTimeToLive(without.timeToLive().withDefault(TimeToLive.OFF))
        : without;
  }

  /** Returns the spec with {@code hidden} of the index set. */
  public static CollectionSpec hidden(CollectionSpec spec, IndexForm form, boolean on) {
    return withDescription(
        withEngineIndex(spec, form, index -> index.withHidden(on)),
        stored(spec, form).withFlag(IndexForm.HIDDEN, on));
  }

  private static CollectionSpec withEngineIndex(
      CollectionSpec spec, IndexForm form, UnaryOperator<IndexSpec> change) {
    return spec.withIndexes(
        spec.indexes().stream()
            .map(index -> index.name().equals(form.name()) ? change.apply(index) : index)
            .toList());
  }

  /** Returns the spec with {@code prepareUnique} of the index set. */
  public static CollectionSpec prepared(CollectionSpec spec, IndexForm form, boolean on) {
    return withDescription(
        withEngineIndex(spec, form, index -> index.withGuarded(on && !index.unique())),
        stored(spec, form).withFlag(IndexForm.PREPARE_UNIQUE, on));
  }

  /** Returns the spec with the index unique, or with {@code prepareUnique} instead. */
  public static CollectionSpec unique(CollectionSpec spec, IndexForm form, boolean on) {
    return withDescription(
        withEngineIndex(spec, form, index -> index.withUnique(on).withGuarded(!on)),
        stored(spec, form).withFlag(IndexForm.UNIQUE, on).withFlag(IndexForm.PREPARE_UNIQUE, !on));
  }

  /** Returns the spec with a TTL for the index, which need not have had one. */
  public static CollectionSpec expiring(CollectionSpec spec, IndexForm form, long seconds) {
    IndexForm expiring = form.expiringAfter(seconds);
    if (keepsOwnExpiry(form)) {
      return withDescription(spec, expiring);
    }
    if (isLastWrite(expiring)) {
      return added(dropped(spec, form), expiring);
    }
    return spec.withTimeToLive(spec.timeToLive().withIndex(form.name(), seconds));
  }

  /** Returns the spec with a format of the times in the field of a TTL index. */
  public static CollectionSpec formatted(CollectionSpec spec, IndexForm form, TimeFormat format) {
    return spec.withTimeToLive(spec.timeToLive().withIndexFormat(form.name(), format));
  }

  /** Returns the spec with a TTL index that slides, or does not. */
  public static CollectionSpec sliding(
      CollectionSpec spec, IndexForm form, Optional<Sliding> sliding) {
    return spec.withTimeToLive(
        spec.timeToLive()
            .withSliding(
                wouldBeLastWrite(form)
                    ? TimeToLive.PROPERTY_RULE
                    : TimeToLive.INDEX_RULE + form.name(),
                sliding));
  }

  private static boolean isKeptAsLastWrite(Options options, String name) {
    return options.indexes().stream()
        .anyMatch(form -> form.name().equals(name) && isLastWrite(form));
  }

  /**
   * Returns the stored description of the index, which can differ from the listed one in the TTL.
   */
  private static IndexForm stored(CollectionSpec spec, IndexForm form) {
    return Options.of(spec).indexes().stream()
        .filter(other -> other.name().equals(form.name()))
        .findFirst()
        .orElseGet(
            () ->
                form.with(IndexForm.EXPIRES, Value.MISSING)
                    .withTtlFormat(TimeFormat.DATE)
                    .withSliding(Optional.empty()));
  }

  /**
   * Returns the spec with the description, in the place of the one with the same name or at the
   * end.
   */
  private static CollectionSpec withDescription(CollectionSpec spec, IndexForm form) {
    Options options = Options.of(spec);
    List<IndexForm> forms = new ArrayList<>(options.indexes());
    boolean replaced = false;
    for (int i = 0; i < forms.size(); i++) {
      if (forms.get(i).name().equals(form.name())) {
        forms.set(i, form);
        replaced = true;
      }
    }
    if (!replaced) {
      forms.add(form);
    }
    return spec.withOptions(options.withIndexes(forms).toDocument());
  }
}
