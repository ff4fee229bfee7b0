package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.expiry.TimeFormat;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** Collection options as {@code listCollections} reports them. */
public final class Description {
  /** The option with the limits of a bounded collection. */
  public static final String LIMIT = "mayflyLimit";

  /** The option with the action on expiry. */
  public static final String ON_EXPIRE = "mayflyOnExpire";

  /** The option with the collection whose documents the documents follow. */
  public static final String EXPIRES_WITH = "mayflyExpiresWith";

  private static final long MILLIS = 1000;

  private Description() {}

  /**
   * Returns the options of the {@code create} command that creates such a collection, in MongoDB's
   * order.
   */
  public static Document of(CollectionSpec spec) {
    Options options = Options.of(spec);
    DocumentWriter listed = Document.writer();
    if (spec.capped()) {
      listed.put("capped", true).put("size", number(spec.cap().bytes()));
      if (spec.cap().documents() > 0) {
        listed.put("max", number(spec.cap().documents()));
      }
    }
    listed.putAll(options.storage());
    Validation validation = options.validation();
    if (!validation.equals(Validation.NONE)) {
      validation.write(listed);
    }
    if (options.view().exists()) {
      listed.put("viewOn", options.view().on()).put("pipeline", options.view().pipeline());
    }
    if (!options.collation().isEmpty()) {
      listed.put("collation", options.collation());
    }
    expiry(spec, options, listed);
    if (spec.bounded()) {
      limit(spec, listed.startDocument(LIMIT));
      listed.end();
    }
    if (spec.onExpire().delivers()) {
      listed.put(ON_EXPIRE, spec.onExpire().toDocument());
    }
    spec.expiresWith()
        .ifPresent(
            with ->
                listed
                    .startDocument(EXPIRES_WITH)
                    .put("collection", with.collection())
                    .put("field", with.field().toString())
                    .put("deleted", with.deleted())
                    .end());
    if (options.images()) {
      listed.startDocument("changeStreamPreAndPostImages").put("enabled", true).end();
    }
    return listed.build();
  }

  private static void expiry(CollectionSpec spec, Options options, DocumentWriter listed) {
    if (!options.clustered().isEmpty()) {
      listed.put("clusteredIndex", options.clustered());
    }
    if (spec.timeToLive().idSeconds() != TimeToLive.OFF) {
      listed.put("expireAfterSeconds", spec.timeToLive().idSeconds());
      TimeFormat format = spec.timeToLive().idFormat();
      boolean listsFormat = format != TimeFormat.DATE || options.clustered().isEmpty();
      listed.put(TtlFormat.FIELD, listsFormat ? Value.of(format.code()) : Value.MISSING);
      listed.put(
          SlidingOption.FIELD,
          SlidingOption.listed(spec.timeToLive().slidingOf(TimeToLive.ID_RULE)));
    }
    if (spec.timeToLive().graceMillis() > 0) {
      listed.put("mayflyGraceSeconds", spec.timeToLive().graceMillis() / MILLIS);
    }
  }

  private static void limit(CollectionSpec spec, DocumentWriter listed) {
    if (spec.cap().bytes() > 0) {
      listed.put("maxBytes", number(spec.cap().bytes()));
    }
    if (spec.cap().documents() > 0) {
      listed.put("maxDocuments", number(spec.cap().documents()));
    }
    listed.put("evict", "soonest");
  }

  private static Value number(long value) {
    return value == (int) value ? Value.of((int) value) : Value.of(value);
  }
}
