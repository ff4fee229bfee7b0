package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.value.Document;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The indexes of a collection as clients see them, and what changing them makes of its spec.
 *
 * <p>Each has a description among the options. Most stand beside an index of the engine with the
 * same name; its time to live is the engine's alone, so that whoever changes rules there changes
 * what is listed. Two kinds have no index of the engine: places on a plane, for which all documents
 * are looked at, and the time since the last write.
 */
public final class Indexes {
  /** The field whose TTL index means the time of the last write, as in Azure Cosmos DB. */
  static final String LAST_WRITE = "_ts";

  private Indexes() {}

  /** All indexes, that of the id first, then in the order of their creation. */
  public static List<IndexForm> of(CollectionSpec spec) {
    Options options = Options.of(spec);
    List<IndexForm> all = new ArrayList<>();
    all.add(ofId(spec, options));
    for (IndexForm form : options.indexes()) {
      if (inEngine(form) ? index(spec, form.name()).isPresent() : true) {
        all.add(told(spec, form));
      }
    }
    for (IndexSpec index : spec.indexes()) {
      if (all.stream().noneMatch(form -> form.name().equals(index.name()))) {
        all.add(told(spec, EngineIndex.form(index)));
      }
    }
    return all;
  }

  public static Optional<IndexForm> named(CollectionSpec spec, String name) {
    return of(spec).stream().filter(form -> form.name().equals(name)).findFirst();
  }

  /** All indexes with that key pattern: several may differ in their options. */
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
        : clustered.with(IndexForm.EXPIRES, Value.of(seconds));
  }

  /** A description with the time to live that is in force. */
  private static IndexForm told(CollectionSpec spec, IndexForm form) {
    if (keepsOwnExpiry(form)) {
      return form;
    }
    if (isLastWrite(form)) {
      long seconds = spec.timeToLive().defaultSeconds();
      return seconds == TimeToLive.OFF
          ? form.with(IndexForm.EXPIRES, Value.MISSING)
          : form.expiringAfter(seconds);
    }
    Long seconds = spec.timeToLive().indexes().get(form.name());
    return seconds == null ? form : form.expiringAfter(seconds);
  }

  /** Whether an index has a time to live and is of a kind by which nothing expires. */
  public static boolean neverExpires(IndexForm form) {
    return form.expireAfterSeconds().isPresent() && keepsOwnExpiry(form);
  }

  /** Whether expireAfterSeconds is kept for those who list it and expires nothing. */
  private static boolean keepsOwnExpiry(IndexForm form) {
    return switch (form.kind()) {
      case HASHED, SPHERE, PLANE, TEXT -> true;
      case ORDERED, WILDCARD -> false;
    };
  }

  /** Whether a kept description has an index of the engine beside it. */
  private static boolean inEngine(IndexForm form) {
    return switch (form.kind()) {
      case PLANE, TEXT -> false;
      case HASHED, WILDCARD, SPHERE -> true;
      case ORDERED -> !isLastWrite(form);
    };
  }

  /** Whether a description, with its time to live, means the time since the last write. */
  public static boolean isLastWrite(IndexForm form) {
    return form.expireAfterSeconds().isPresent() && wouldBeLastWrite(form);
  }

  /** Whether a description would mean the time since the last write, had it a time to live. */
  public static boolean wouldBeLastWrite(IndexForm form) {
    Fields fields = form.key().fields();
    return form.kind() == IndexKind.ORDERED
        && form.single()
        && fields.next()
        && fields.named(LAST_WRITE);
  }

  /** What an index of the engine is on, as clients write it. */
  public static Document key(IndexSpec index) {
    return EngineIndex.form(index).key();
  }

  private static Optional<IndexSpec> index(CollectionSpec spec, String name) {
    return spec.indexes().stream().filter(index -> index.name().equals(name)).findFirst();
  }

  /** The spec with one more index, and with the rule of expiry that it carries. */
  public static CollectionSpec added(CollectionSpec spec, IndexForm form) {
    if (!inEngine(form)) {
      TimeToLive ttl = spec.timeToLive();
      CollectionSpec kept = kept(spec, form);
      return isLastWrite(form)
          ? kept.withTimeToLive(ttl.withDefault(form.expireAfterSeconds().getAsLong()))
          : kept;
    }
    CollectionSpec indexed = spec.withoutIndex(form.name()).withIndex(EngineIndex.of(form));
    if (keepsOwnExpiry(form) || form.expireAfterSeconds().isEmpty()) {
      return kept(indexed, form);
    }
    long seconds = form.expireAfterSeconds().getAsLong();
    return kept(indexed, form.with(IndexForm.EXPIRES, Value.MISSING))
        .withTimeToLive(indexed.timeToLive().withIndex(form.name(), seconds));
  }

  /** The spec without an index and without the rule of expiry that it carried. */
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

  /** The spec with an index that is hidden from queries, or not. */
  public static CollectionSpec hidden(CollectionSpec spec, IndexForm form, boolean on) {
    return kept(
        changed(spec, form, index -> index.withHidden(on)),
        stored(spec, form).withFlag(IndexForm.HIDDEN, on));
  }

  private static CollectionSpec changed(
      CollectionSpec spec, IndexForm form, UnaryOperator<IndexSpec> change) {
    return spec.withIndexes(
        spec.indexes().stream()
            .map(index -> index.name().equals(form.name()) ? change.apply(index) : index)
            .toList());
  }

  /** The spec with an index that will become unique, or not. */
  public static CollectionSpec prepared(CollectionSpec spec, IndexForm form, boolean on) {
    return kept(
        changed(spec, form, index -> index.withGuarded(on && !index.unique())),
        stored(spec, form).withFlag(IndexForm.PREPARE_UNIQUE, on));
  }

  /** The spec with an index that has become unique, or with one that is so no more. */
  public static CollectionSpec unique(CollectionSpec spec, IndexForm form, boolean on) {
    return kept(
        changed(spec, form, index -> index.withUnique(on).withGuarded(!on)),
        stored(spec, form).withFlag(IndexForm.UNIQUE, on).withFlag(IndexForm.PREPARE_UNIQUE, !on));
  }

  /** The spec with another time to live on an index, which may have had none. */
  public static CollectionSpec expiring(CollectionSpec spec, IndexForm form, long seconds) {
    IndexForm expiring = form.expiringAfter(seconds);
    if (keepsOwnExpiry(form)) {
      return kept(spec, expiring);
    }
    if (isLastWrite(expiring)) {
      return added(dropped(spec, form), expiring);
    }
    return spec.withTimeToLive(spec.timeToLive().withIndex(form.name(), seconds));
  }

  private static boolean isKeptAsLastWrite(Options options, String name) {
    return options.indexes().stream()
        .anyMatch(form -> form.name().equals(name) && isLastWrite(form));
  }

  /** What is kept of an index, not what is told of it. */
  private static IndexForm stored(CollectionSpec spec, IndexForm form) {
    return Options.of(spec).indexes().stream()
        .filter(other -> other.name().equals(form.name()))
        .findFirst()
        .orElseGet(() -> form.with(IndexForm.EXPIRES, Value.MISSING));
  }

  /** The spec with a description in the place of the one of that name, or at the end. */
  private static CollectionSpec kept(CollectionSpec spec, IndexForm form) {
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
