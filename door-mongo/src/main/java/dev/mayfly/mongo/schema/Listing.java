package dev.mayfly.mongo.schema;

import dev.mayfly.mongo.command.CommandException;
import dev.mayfly.mongo.command.Request;
import dev.mayfly.mongo.cursor.Caller;
import dev.mayfly.mongo.cursor.Cursors;
import dev.mayfly.mongo.cursor.OpenCursor;
import dev.mayfly.query.pipeline.Rows;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Value;
import java.util.List;

/** Lists that are given out as a whole, unless the request says how much of them it wants first. */
final class Listing {
  private final Cursors cursors;

  Listing(Cursors cursors) {
    this.cursors = cursors;
  }

  void write(Request request, DocumentWriter reply, String namespace, List<Document> items) {
    Value size = request.document("cursor").field("batchSize");
    long batch = size.isNumber() ? (long) size.asDouble() : Long.MAX_VALUE;
    if (batch < 0) {
      throw CommandException.outOfBounds("batchSize", ">= 0", batch);
    }
    OpenCursor cursor = new OpenCursor(namespace, Rows.of(items), new Caller(request));
    cursors.begin(request, reply, cursor, batch, false);
  }
}
