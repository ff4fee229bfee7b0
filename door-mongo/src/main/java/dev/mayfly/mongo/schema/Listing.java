package dev.mayfly.mongo.schema;

import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Lists that are always given out as a whole, in the form of a cursor that has no more. */
final class Listing {
  private Listing() {}

  static void write(DocumentWriter reply, String namespace, List<Document> items) {
    reply.startDocument("cursor").put("id", 0L).put("ns", namespace).startArray("firstBatch");
    items.forEach(item -> reply.add(Value.of(item)));
    reply.end().end();
  }
}
