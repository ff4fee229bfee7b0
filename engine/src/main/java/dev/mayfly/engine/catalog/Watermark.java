package dev.mayfly.engine.catalog;

import dev.mayfly.value.Document;

/**
 * Watermark of a rule change: documents that had expired in a lane stay expired.
 *
 * @param place documents at or below it are expired
 * @param sequence if they were last written before it
 * @param at when the rule changed, in epoch milliseconds
 * @param lifeMillis the TTL of the lane until then
 */
public record Watermark(int lane, long place, long sequence, long at, long lifeMillis) {
  public Document toDocument() {
    return Document.writer()
        .put("lane", lane)
        .put("place", place)
        .put("sequence", sequence)
        .put("at", at)
        .put("life", lifeMillis)
        .build();
  }

  static Watermark of(Document document) {
    return new Watermark(
        document.field("lane").asInt(),
        document.field("place").asLong(),
        document.field("sequence").asLong(),
        document.field("at").asLong(),
        document.field("life").asLong());
  }
}
