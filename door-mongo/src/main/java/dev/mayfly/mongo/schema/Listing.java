package dev.mayfly.mongo.schema;

import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.mql.rows.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import java.util.List;

/**
 * Cursor replies of {@code listCollections} and {@code listIndexes}. The first batch contains
 * everything unless the request has a {@code batchSize}.
 */
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
