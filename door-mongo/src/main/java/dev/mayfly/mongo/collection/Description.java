package dev.mayfly.mongo.collection;

import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.TimeToLive;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;

/** A collection in the words in which it was asked for. */
public final class Description {
  private static final long MILLIS = 1000;

  private Description() {}

  /** The options that make a collection such as this, in the order in which they are listed. */
  public static Document of(CollectionSpec spec) {
    Options options = Options.of(spec);
    DocumentWriter told = Document.writer();
    if (spec.capped()) {
      told.put("capped", true).put("size", number(spec.cap().bytes()));
      if (spec.cap().documents() > 0) {
        told.put("max", number(spec.cap().documents()));
      }
    }
    told.putAll(options.storage());
    Validation validation = options.validation();
    if (!validation.equals(Validation.NONE)) {
      validation.write(told);
    }
    if (options.view().exists()) {
      told.put("viewOn", options.view().on()).put("pipeline", options.view().pipeline());
    }
    if (!options.collation().isEmpty()) {
      told.put("collation", options.collation());
    }
    expiry(spec, options, told);
    if (options.images()) {
      told.startDocument("changeStreamPreAndPostImages").put("enabled", true).end();
    }
    return told.build();
  }

  private static void expiry(CollectionSpec spec, Options options, DocumentWriter told) {
    if (!options.clustered().isEmpty()) {
      told.put("clusteredIndex", options.clustered());
    }
    if (spec.timeToLive().idSeconds() != TimeToLive.OFF) {
      told.put("expireAfterSeconds", spec.timeToLive().idSeconds());
    }
    if (spec.timeToLive().graceMillis() > 0) {
      told.put("mayflyGraceSeconds", spec.timeToLive().graceMillis() / MILLIS);
    }
  }

  private static Value number(long value) {
    return value == (int) value ? Value.of((int) value) : Value.of(value);
  }
}
