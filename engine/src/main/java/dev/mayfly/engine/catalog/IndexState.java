package dev.mayfly.engine.catalog;

import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.value.Document;

/**
 * An index as the catalog keeps it.
 *
 * @param id the number its entries are stored under; never used again for another
 * @param ready false while the entries of older documents are being built
 */
public record IndexState(int id, IndexSpec spec, boolean ready) {
  IndexState whenReady() {
    return new IndexState(id, spec, true);
  }

  Document toDocument() {
    return Document.writer()
        .put("id", id)
        .put("spec", spec.toDocument())
        .put("ready", ready)
        .build();
  }

  static IndexState of(Document document) {
    return new IndexState(
        document.field("id").asInt(),
        IndexSpec.of(document.field("spec").asDocument()),
        document.field("ready").asBoolean());
  }
}
