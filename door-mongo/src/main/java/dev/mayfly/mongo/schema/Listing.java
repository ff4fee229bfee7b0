package dev.mayfly.mongo.schema;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;

/** Lists that are given out as a whole, unless the request says how much of them it wants first. */
final class Listing {
  private final Cursors cursors;

  Listing(Cursors cursors) {
    this.cursors = cursors;
  }

  void write(Request request, DocumentWriter reply, String namespace, List<Document> items) {
    long batch = OpenCursor.firstBatch(request, Long.MAX_VALUE);
    OpenCursor cursor = new OpenCursor(namespace, Rows.of(items), new Caller(request));
    cursors.begin(request, reply, cursor, batch, false);
  }
}
