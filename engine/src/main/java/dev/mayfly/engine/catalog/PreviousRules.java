package dev.mayfly.engine.catalog;

import dev.mayfly.engine.TimeToLive;
import dev.mayfly.engine.index.CatalogDocuments;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;

/**
 * The rules before a change, kept while the change can be undone and the sweep must honour them.
 *
 * @param until when they ceased to count
 * @param sequence the sequence of the change: documents written from it on never answered to them
 * @param watermarks how many of the collection's watermarks counted with them: the oldest ones,
 *     because each change only adds to them while there is a history
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
