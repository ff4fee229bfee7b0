package dev.mayfly.engine.catalog;

import dev.mayfly.engine.index.IndexSpec;
import dev.mayfly.value.Document;

/**
 * Index in the stored state of a collection.
 *
 * @param id the prefix of its entries; not used again for another index
 * @param ready false while the entries of existing documents are being built
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
