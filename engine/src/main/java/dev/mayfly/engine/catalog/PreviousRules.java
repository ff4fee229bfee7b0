package dev.mayfly.engine.catalog;

import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.CatalogDocuments;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/**
 * Rules before a rule change, kept for the grace: an undo restores them, and the sweep still uses
 * them.
 *
 * @param until when the change was made, in epoch milliseconds
 * @param sequence the sequence of the change: these rules do not apply to documents written from it
 *     on
 * @param watermarks how many of the collection's watermarks existed then: the oldest ones, because
 *     changes only add watermarks while there is a history
 */
public record PreviousRules(long until, long sequence, TimeToLive timeToLive, int watermarks) {
  Document toDocument() {
    return Document.writer()
        .put("until", until)
        .put("sequence", sequence)
        .put("ttl", timeToLive.toDocument())
        .put("watermarks", watermarks)
        .build();
  }

  public static PreviousRules of(Document document) {
    return new PreviousRules(
        document.field("until").asLong(),
        document.field("sequence").asLong(),
        TimeToLive.of(document.field("ttl").asDocument()),
        count(document.field("watermarks")));
  }

  /** Earlier versions stored the watermarks themselves. */
  private static int count(Value watermarks) {
    return watermarks.isArray()
        ? CatalogDocuments.list(watermarks, value -> value).size()
        : watermarks.asInt();
  }
}
