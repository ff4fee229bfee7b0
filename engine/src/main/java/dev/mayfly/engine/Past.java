package dev.mayfly.engine;

import dev.mayfly.value.Document;
import java.util.List;

/**
 * The rules before a change, kept while the change can be undone and the sweep must honour them.
 *
 * @param until when they ceased to count
 * @param sequence the sequence of the change: documents written from it on never answered to them
 * @param watermarks those that counted with them
 */
record Past(long until, long sequence, TimeToLive timeToLive, List<Watermark> watermarks) {
  Past {
    watermarks = List.copyOf(watermarks);
  }

  Document toDocument() {
    return Document.writer()
        .put("until", until)
        .put("sequence", sequence)
        .put("ttl", timeToLive.toDocument())
        .put("watermarks", Documents.array(watermarks, Watermark::toDocument))
        .build();
  }

  static Past of(Document document) {
    return new Past(
        document.field("until").asLong(),
        document.field("sequence").asLong(),
        TimeToLive.of(document.field("ttl").asDocument()),
        Documents.list(document.field("watermarks"), value -> Watermark.of(value.asDocument())));
  }
}
